import { findDue } from '../src/clients/summarizer/builtIn/findDue.ts';
import {
  chooseExchanges,
  chooseItems,
  chooseWaiting,
  findItemOwner,
  isUnanswered,
} from '../src/clients/summarizer/reader/choose.ts';
import type { DayRead } from '../src/clients/summarizer/reader/features.ts';
import { type Model, scoreDay } from '../src/clients/summarizer/reader/model.ts';
import { type PromiseRead, promiseRows, scoreEnd } from '../src/clients/summarizer/reader/promises.ts';
import { asRead, type LabelledDay, type LabelledStory } from './data.ts';
import { promisesAmong, promisesOn } from './model.ts';

/** Sums by name; a figure is one of them by another. */
export type Sums = Record<string, number>;

const BUSINESS = { most: 8, share: 44 };

/** Lets people see how much of what is written on a day is right, as sums that add up over days. */
export function judgeDay(model: Model, day: LabelledDay): Sums {
  const scored = scoreDay(model, asRead(day));
  const count = day.messages.length;
  const { thresholds } = model;
  const sums: Sums = { days: 1 };
  const add = (name: string, value: number | boolean) => {
    sums[name] = (sums[name] ?? 0) + Number(value);
  };

  const items = chooseItems(scored, thresholds);
  const found = new Set<number>();
  add('labelled', day.items.length);
  for (const item of items) {
    const { binding, others } = item;
    add('written', 1);
    const label = [binding, ...others].map(at => day.items.findIndex(item => item.on.includes(at))).find(at => at >= 0);
    if (label === undefined) continue;
    add('right', 1);
    if (found.has(label)) continue;
    found.add(label);
    add('found', 1);
    const { who, date } = day.items[label]!;
    const owner = findItemOwner(scored, item, { sure: thresholds.self, peer: day.peer });
    if (who) {
      add('owned', 1);
      if (owner !== null) add('owners', 1);
      add('ownersRight', owner === who);
    }
    const newest = [binding, ...others]
      .toSorted((a, b) => b - a)
      .map(at => ({ ...sentIn(day, at), at, isOpen: isUnanswered(scored, at, owner, thresholds.joined) }));
    const said = day.messages.map((_, at) => sentIn(day, at));
    const when = findDue({ model, language: day.language, timezone: 'UTC' }, newest, said);
    if (date) add('dated', 1);
    if (date && when) add('datesSaid', 1);
    add('datesRight', date !== undefined && when?.date === date);
    if (!date) add('undated', 1);
    add('datesWrong', !date && when !== null);
  }
  if (day.essential && day.useful) {
    const groups = [...day.essential, ...day.useful];
    const exchanges = chooseExchanges(scored, { ...BUSINESS, joined: thresholds.joined });
    const shown = new Set(exchanges.flatMap(({ messages }) => messages));
    const words = [...shown].flatMap(at => day.messages[at]![2].split(/\s+/)).length;
    if (count >= 15) {
      add('essential', day.essential.length);
      add('essentialShown', day.essential.filter(group => group.some(at => shown.has(at))).length);
      add('shown', shown.size);
      add('shownMatter', [...shown].filter(at => groups.some(group => group.includes(at))).length);
      add('messages', count);
      add('words', words);
      add('long', 1);
    }
  }
  const waits = chooseWaiting(scored, thresholds).length > 0;
  const isWaiting = day.waits ? day.waits.length > 0 : day.waiting;
  if (isWaiting !== undefined) {
    add(isWaiting ? 'waiting' : 'calm', 1);
    if (waits) add(isWaiting ? 'waitingFound' : 'calmWrong', 1);
  }
  return sums;
}

function sentIn({ day, messages }: LabelledDay, at: number): { text: string; sentAt: Date } {
  const [time, , text] = messages[at]!;
  return { text, sentAt: new Date(`${day}T${time.padStart(5, '0')}:00Z`) };
}

/** The last messages of a day as a day of its own: most days of most conversations are so short. */
export function endOf(day: LabelledDay, count: number): LabelledDay {
  const first = Math.max(0, day.messages.length - count);
  const later = (of: number[]) => of.flatMap(at => (at >= first ? [at - first] : []));
  const items = day.items.map(item => ({ ...item, on: later(item.on) })).filter(({ on }) => on.length > 0);
  const waits = day.waits && later(day.waits);
  return { ...day, messages: day.messages.slice(first), items, waits, settled: null, essential: null, useful: null };
}

/** The same for promises of earlier days: which are asked "Settled?", also after days of other chats. */
export function judgeStory(model: Model, story: LabelledStory, others: LabelledDay[]): Sums {
  const sums: Sums = { stories: 1 };
  const add = (name: string, value: number | boolean) => {
    sums[name] = (sums[name] ?? 0) + Number(value);
  };
  const most = new Map<number, number>();
  for (const [n, { messages }] of story.days.entries()) {
    const { numbers, promises } = promisesOn(story, n);
    for (const [k, score] of highestOf(model, asRead({ ...story, messages }), promises).entries())
      most.set(numbers[k]!, Math.max(most.get(numbers[k]!) ?? -Infinity, score));
  }
  for (const [at, score] of most) {
    const { ends } = story.promises[at]!;
    const hasEnded = ends.some(({ how }) => how === 'done' || how === 'cancelled');
    add('promises', 1);
    add('ended', hasEnded);
    if (score < model.thresholds.asks) continue;
    add('asked', 1);
    add('askedRight', hasEnded);
    add('askedDoubtful', !hasEnded && ends.some(({ how }) => how === 'doubtful'));
  }
  for (const day of others)
    for (const score of highestOf(model, asRead(day), promisesAmong(story, day))) {
      add('elsewhere', 1);
      add('askedElsewhere', score >= model.thresholds.asks);
    }
  return sums;
}

/** The highest score of each promise. */
function highestOf(model: Model, day: DayRead, promises: PromiseRead[]): number[] {
  const scored = scoreDay(model, day);
  const rows = promiseRows(scored.day, scored.words, scored.scores, promises);
  return rows.map(of => Math.max(...of.map(row => scoreEnd(model.ends, row))));
}

export function total(all: Sums[]): Sums {
  const sums: Sums = {};
  for (const one of all) for (const [name, value] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

const share = (sums: Sums, part: string, whole: string) =>
  sums[whole] ? String(Math.round((100 * (sums[part] ?? 0)) / sums[whole])).padStart(3) : '  –';

export const HEADER = 'days  items written  prec recall owner(said) day | essential matter lines words | waits wrong';

export function rowOf(name: string, sums: Sums): string {
  const of = (part: string, whole: string) => share(sums, part, whole);
  return [
    name.padEnd(10),
    String(sums.days ?? 0).padStart(4),
    String(sums.labelled ?? 0).padStart(6),
    String(sums.written ?? 0).padStart(6),
    `  ${of('right', 'written')} ${of('found', 'labelled')}  ${of('ownersRight', 'owners')} (${of('owners', 'owned')}) ${of('datesRight', 'dated')}`,
    ` | ${of('essentialShown', 'essential')} ${of('shownMatter', 'shown')} ${of('shown', 'messages')} ${Math.round((sums.words ?? 0) / (sums.long ?? 1))}`,
    ` | ${of('waitingFound', 'waiting')} ${of('calmWrong', 'calm')}`,
  ].join('');
}

export function storyRow(name: string, sums: Sums): string {
  const of = (part: string, whole: string) => share(sums, part, whole);
  return `${name.padEnd(10)} ${sums.stories ?? 0} stories, ${sums.promises ?? 0} promises, ${sums.ended ?? 0} ended: asked for ${of('askedRight', 'ended')} of 100 that ended, right ${of('askedRight', 'asked')} of 100 asked (${sums.asked ?? 0}; ${sums.askedDoubtful ?? 0} doubtful); on a day of another chat ${of('askedElsewhere', 'elsewhere')} of 100`;
}
