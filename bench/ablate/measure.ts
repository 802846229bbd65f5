import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messagesOf } from '../../src/clients/summarizer/builtIn/excerpt/messagesOf.ts';
import { createBuiltInSummarizer } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import type { Summary } from '../../src/clients/summarizer/types.ts';
import { readLabelledChats } from '../items/days.ts';
import { type LabelledPair, readPairs } from '../items/pairs.ts';
import { readPlainPairs } from '../items/plainPairs.ts';
import { judge, scoreOf } from '../items/score.ts';
import { type KeyedDay, readKeyedChats } from '../lines/days.ts';
import { countsOf } from '../lines/score.ts';
import { isMisdated, isRight, isWrong, judgePair } from '../promises/judge.ts';

/** A day or a pair of days. */
export type Case = { set: string; day: KeyedDay } | { set: string; pair: LabelledPair };
/** What was said of it. */
type Said = { day: KeyedDay; summary: Summary } | { judged: Awaited<ReturnType<typeof judgePair>> };
export type Heard = { set: string; said: Said; parts: Record<string, string> };
/** Of a set; all of them are better when higher: what is wrong counts below zero. */
export type Figures = Record<string, number>;

const bench = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const unkeyed = (file: string) => (readLabelledChats(file) ?? []).map(day => ({ ...day, keys: [] }));

export function readCases(data: string): Case[] {
  const file = (name: string) => join(data, name);
  const read = (path: string) => readFileSync(path, 'utf8');
  const development = readdirSync(bench('data/development')).toSorted();
  const days: Record<string, KeyedDay[] | null> = {
    messy: readKeyedChats(file('messy-chats.json')),
    untidy: readKeyedChats(bench('data/untidy.json')),
    labelled: readKeyedChats(file('labelled-chats.json'), file('labelled-keys.json')),
    'waits apart': unkeyed(bench('data/kept-apart.json')),
    everyday: ['everyday', 'everyday-later', 'more-days'].flatMap(name => unkeyed(bench(`data/${name}.json`))),
  };
  const pairs: Record<string, LabelledPair[]> = {
    closings: development.flatMap(name => readPlainPairs(read(join(bench('data/development'), name)))),
    'closings labelled': readPairs(read(file('labelled-chats.json'))),
    'closings apart': ['pairs', 'pairs-more-languages'].flatMap(name => readPairs(read(bench(`data/${name}.json`)))),
  };
  return [
    ...Object.entries(days).flatMap(([set, of]) => (of ?? []).map(day => ({ set, day }))),
    ...Object.entries(pairs).flatMap(([set, of]) => of.map(pair => ({ set, pair }))),
  ];
}

const summarizer = createBuiltInSummarizer();

export async function hear(one: Case): Promise<Heard> {
  if ('pair' in one) {
    const judged = await judgePair(one.pair);
    return { set: one.set, said: { judged }, parts: { closings: JSON.stringify(judged) } };
  }
  const summary = await summarizer.summarize(one.day.request);
  const { structured, ...rest } = summary;
  const parts = Object.entries({ ...rest, ...structured }).map(([part, value]) => [part, JSON.stringify(value)]);
  return { set: one.set, said: { day: one.day, summary }, parts: Object.fromEntries(parts) };
}

export function figuresOf(heard: Heard[]): Map<string, Figures> {
  const sets = [...Map.groupBy(heard, ({ set }) => set)];
  return new Map(sets.map(([set, of]) => [set, { ...figuresOfDays(of), ...figuresOfPairs(of) }]));
}

function figuresOfPairs(heard: Heard[]): Figures {
  const pairs = heard.flatMap(({ said }) => ('judged' in said ? [said.judged] : []));
  if (pairs.length === 0) return {};
  const figures = (['labelled', 'stored'] as const).flatMap(way => {
    const judged = pairs.flatMap(pair => pair[way]);
    return [
      [`${way} right`, judged.filter(one => one.state !== 'open' && isRight(one)).length],
      [`${way} left open`, judged.filter(({ state, told }) => state === 'open' && /open|doubtful/.test(told)).length],
      [`${way} misdated`, -judged.filter(isMisdated).length],
      [`${way} wrong`, -judged.filter(isWrong).length],
    ];
  });
  return Object.fromEntries(figures);
}

function figuresOfDays(heard: Heard[]): Figures {
  const days = heard.flatMap(({ said }) => ('summary' in said ? [said] : []));
  if (days.length === 0) return {};
  const { right, written, found, owner, due, urgency, waiting } = scoreOf(
    days.map(({ day, summary }) => judge(day, summary)),
  );
  const counts = days.map(({ day, summary: { summary: text, structured } }) => {
    const exchanges = (structured.exchanges ?? []).map(({ opener, answers }) => [opener, ...answers].map(messagesOf));
    return countsOf({ text, exchanges }, day.keys);
  });
  const sum = (of: (one: (typeof counts)[number]) => number) => counts.reduce((all, one) => all + of(one), 0);
  const share = (part: number, whole: number) => Math.round((1000 * part) / Math.max(1, whole)) / 10;
  return {
    ...{ right, 'wrong items': right - written, found, owner, due, urgency, waiting },
    ...{ shown: sum(({ shown }) => shown), touched: sum(({ touched }) => touched) },
    'lines %': share(
      sum(one => one.linesThatMatter),
      sum(({ lines }) => lines),
    ),
    'exchanges %': share(
      sum(one => one.exchangesThatMatter),
      sum(({ exchanges }) => exchanges),
    ),
  };
}
