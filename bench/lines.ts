/**
 * How much of what a person must see stands in the excerpt, and how much of the excerpt is worth seeing, beside today's
 * summary: `node bench/lines.ts [--show] [--set FILE [--keys FILE]] [--data FOLDER] [--language CODE] [--half even|odd]
 * [--style STYLE] [--apart]`. With `--apart` each fifth of the days is read with weights learned from the others of all
 * sets, so that nothing is measured on what it was learned from. An essential exchange is shown when both its first and its last message are cited; a line matters
 * when it cites a message of some exchange that a person chose. Intervals hold 95 of 100 draws of days.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseExcerpt } from '../src/clients/summarizer/builtIn/excerpt/chooseExcerpt.ts';
import { messagesOf } from '../src/clients/summarizer/builtIn/excerpt/messagesOf.ts';
import type { Weights } from '../src/clients/summarizer/builtIn/excerpt/odds.ts';
import { renderExcerpt } from '../src/clients/summarizer/builtIn/excerpt/renderExcerpt.ts';
import { WEIGHTS } from '../src/clients/summarizer/builtIn/excerpt/weights.ts';
import { createBuiltInSummarizer, readAll } from '../src/clients/summarizer/builtIn/summarizer.ts';
import { SUMMARY_STYLES } from '../src/clients/summarizer/types.ts';
import { UNTIDY } from './items/sets.ts';
import { type KeyedDay, readKeyedChats } from './lines/days.ts';
import { type Heard, heard, learn } from './lines/learn.ts';
import { type Counts, countsOf, type Digest, rateOf } from './lines/score.ts';

const { values: options } = parseArgs({
  options: {
    show: { type: 'boolean', default: false },
    set: { type: 'string' },
    keys: { type: 'string' },
    data: { type: 'string', default: fileURLToPath(new URL('../../shared/data', import.meta.url)) },
    language: { type: 'string' },
    half: { type: 'string' },
    style: { type: 'string', default: 'BUSINESS' },
    apart: { type: 'boolean', default: false },
  },
});
const style = SUMMARY_STYLES.find(one => one === options.style) ?? 'BUSINESS';
const summarizer = createBuiltInSummarizer();

type Judged = { day: KeyedDay; today: Counts; excerpt: Counts; text: string };

async function judge(day: KeyedDay, weights: Weights): Promise<Judged> {
  const request = { ...day.request, style };
  const { summary, sentences = [] } = await summarizer.summarize(request);
  const exchanges = await chooseExcerpt({ ...(await readAll(request)), style }, weights);
  const text = renderExcerpt(exchanges);
  const told: Digest = { text: summary, exchanges: sentences.map(({ sourceMessageIds }) => [sourceMessageIds]) };
  const quoted: Digest = {
    text,
    exchanges: exchanges.map(({ opener, answers }) => [opener, ...answers].map(messagesOf)),
  };
  return { day, today: countsOf(told, day.keys), excerpt: countsOf(quoted, day.keys), text };
}

function row(name: string, judged: Judged[]): string {
  const of = (which: 'today' | 'excerpt') => {
    const counts = judged.map(one => one[which]);
    const mean = (sum: (one: Counts) => number) => counts.reduce((total, one) => total + sum(one), 0) / counts.length;
    return [
      rateOf(counts, ({ shown, essential }) => [shown, essential]),
      rateOf(counts, ({ touched, essential }) => [touched, essential]),
      rateOf(counts, ({ linesThatMatter, lines }) => [linesThatMatter, lines]),
      rateOf(counts, ({ exchangesThatMatter, exchanges }) => [exchangesThatMatter, exchanges]),
      mean(({ exchanges }) => exchanges)
        .toFixed(1)
        .padStart(5),
      mean(({ characters }) => characters)
        .toFixed(0)
        .padStart(5),
    ].join(' ');
  };
  return `${name.padEnd(9)}${`${judged.length}`.padStart(4)} | ${of('today')} | ${of('excerpt')}`;
}

const COLUMNS = 'essential     touched       lines         exchanges     mean chars';

function show({ day, text, excerpt }: Judged): string {
  const { request, keys, title } = day;
  const cited = (messages: number[]) =>
    messages.map(id => (excerpt.cited.has(`${id}`) ? `${id}` : `(${id})`)).join(' ');
  return [
    `===== ${title}`,
    ...request.messages.map(({ id, senderName, text: said }) => `${id} ${senderName.split(' ')[0]}: ${said}`),
    ...keys.map(({ messages, weight }) => `  ${weight === 'essential' ? 'MUST' : 'may '} ${cited(messages)}`),
    ...text.split('\n').map(line => `  > ${line}`),
    '',
  ].join('\n');
}

async function report(name: string, days: KeyedDay[] | null, weightsFor: (day: KeyedDay) => Weights): Promise<string> {
  if (!days) return `${name}: no data, nothing to compare with.`;
  const half = options.half === undefined ? null : options.half === 'even' ? 0 : 1;
  const chosen = days
    .filter((_, index) => half === null || index % 2 === half)
    .filter(({ language }) => !options.language || language === options.language);
  const judged: Judged[] = [];
  for (const day of chosen) judged.push(await judge(day, weightsFor(day)));
  const languages = [...Map.groupBy(judged, ({ day }) => day.language)];
  return [
    ...(options.show ? judged.map(show) : []),
    `${name}${options.half ? `, ${options.half} days` : ''}, ${style}: today's summary | the excerpt`,
    `${''.padEnd(9)}days | ${COLUMNS} | ${COLUMNS}`,
    ...(languages.length > 1 ? languages.map(([language, of]) => row(language, of)) : []),
    row('all', judged),
    '',
  ].join('\n');
}

const FOLDS = 5;

/** The weights for each day, learned from the days that are not in its fifth. */
async function learnApart(days: KeyedDay[]): Promise<(day: KeyedDay) => Weights> {
  const all: Heard[] = [];
  for (const day of days) all.push(await heard(day));
  const folds = Array.from({ length: FOLDS }, (_, fold) => learn(all.filter((_, at) => at % FOLDS !== fold)));
  return day => folds[days.indexOf(day) % FOLDS] ?? WEIGHTS;
}

async function main(): Promise<void> {
  const data = (file: string) => join(options.data, file);
  const sets: [string, KeyedDay[] | null][] = options.set
    ? [[options.set, readKeyedChats(options.set, options.keys)]]
    : [
        ['messy-chats.json', readKeyedChats(data('messy-chats.json'))],
        ['untidy.json', readKeyedChats(UNTIDY)],
        ['labelled-chats.json', readKeyedChats(data('labelled-chats.json'), data('labelled-keys.json'))],
      ];
  const weightsFor = options.apart ? await learnApart(sets.flatMap(([, days]) => days ?? [])) : () => WEIGHTS;
  for (const [name, days] of sets) process.stdout.write(`${await report(name, days, weightsFor)}\n`);
}

await main();
