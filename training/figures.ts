import { chooseExchanges, chooseItems, joinedIn } from '../src/clients/summarizer/reader/choose.ts';
import { COUNT, HEAD } from '../src/clients/summarizer/reader/features.ts';
import { dayScore, type Model, scoreDay } from '../src/clients/summarizer/reader/model.ts';
import { promiseRows } from '../src/clients/summarizer/reader/promises.ts';
import { scoreTrees } from '../src/clients/summarizer/reader/trees.ts';
import { asRead, type LabelledDay, type LabelledStory } from './data.ts';
import { promisesOn } from './model.ts';

/** Sums by name; a figure is one of them by another. */
export type Sums = Record<string, number>;

const BUSINESS = 8;

/** Lets people see how much of what is written on a day is right, as sums that add up over days. */
export function judgeDay(model: Model, day: LabelledDay): Sums {
  const scored = scoreDay(model, asRead(day));
  const { scores } = scored;
  const count = day.messages.length;
  const joined = joinedIn(model.pair, scored);
  const { thresholds } = model;
  const sums: Sums = { days: 1 };
  const add = (name: string, value: number | boolean) => (sums[name] = (sums[name] ?? 0) + Number(value));

  const items = chooseItems({ scores, count, joined }, thresholds);
  const found = new Set<number>();
  add('labelled', day.items.length);
  for (const { on, with: rest } of items) {
    add('written', 1);
    const label = [on, ...rest].map(at => day.items.findIndex(item => item.on.includes(at))).find(at => at >= 0);
    if (label === undefined) continue;
    add('right', 1);
    if (found.has(label)) continue;
    found.add(label);
    add('found', 1);
    const { who } = day.items[label]!;
    if (who) {
      const from = day.messages[on]![1];
      const self = scores[on * COUNT + HEAD.self]!;
      const isSure = Math.abs(self) >= thresholds.self;
      if (isSure) {
        add('owners', 1);
        add('ownersRight', self > 0 === (who === from));
      }
      add('owned', 1);
    }
  }
  if (day.essential && day.useful) {
    const groups = [...day.essential, ...day.useful];
    const exchanges = chooseExchanges({ scores, count, joined }, { most: BUSINESS, joined: thresholds.joined });
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
  const waits = Math.max(...day.messages.map((_, at) => scores[at * COUNT + HEAD.waits]!)) >= thresholds.waits;
  const isWaiting = day.waits ? day.waits.length > 0 : day.waiting;
  if (isWaiting !== undefined) {
    add(isWaiting ? 'waiting' : 'calm', 1);
    if (waits) add(isWaiting ? 'waitingFound' : 'calmWrong', 1);
  }
  if (dayScore(model.urgent, scored) >= thresholds.urgent) {
    add('urgent', 1);
    add('urgentRight', day.urgency === 'high');
  }
  if (dayScore(model.tense, scored) >= thresholds.tense) {
    add('tense', 1);
    add('tenseRight', day.sentiment === 'negative' || day.sentiment === 'mixed');
  }
  add('isUrgent', day.urgency === 'high');
  add('isTense', day.sentiment === 'negative' || day.sentiment === 'mixed');
  return sums;
}

/** The same for promises of earlier days: which are asked "Settled?". */
export function judgeStory(model: Model, story: LabelledStory): Sums {
  const sums: Sums = { stories: 1 };
  const add = (name: string, value: number | boolean) => (sums[name] = (sums[name] ?? 0) + Number(value));
  const most = new Map<number, number>();
  for (const [n, { messages }] of story.days.entries()) {
    const { numbers, promises } = promisesOn(story, n);
    if (numbers.length === 0) continue;
    const scored = scoreDay(model, asRead({ ...story, messages }));
    for (const [k, rows] of promiseRows(scored.day, scored.words, scored.scores, promises).entries())
      for (const row of rows) most.set(numbers[k]!, Math.max(most.get(numbers[k]!) ?? -Infinity, scoreTrees(model.ends, row)));
  }
  for (const [at, score] of most) {
    const { ends } = story.promises[at]!;
    const hasEnded = ends.some(({ how }) => how === 'done' || how === 'cancelled');
    add('promises', 1);
    add('ended', hasEnded);
    for (const [name, threshold] of [['asked', model.thresholds.asks], ['closed', model.thresholds.closes]] as const)
      if (score >= threshold) {
        add(name, 1);
        add(`${name}Right`, hasEnded);
        add(`${name}Doubtful`, !hasEnded && ends.some(({ how }) => how === 'doubtful'));
      }
  }
  return sums;
}

export function total(all: Sums[]): Sums {
  const sums: Sums = {};
  for (const one of all) for (const [name, value] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

const share = (sums: Sums, part: string, whole: string) =>
  sums[whole] ? String(Math.round((100 * (sums[part] ?? 0)) / sums[whole])).padStart(3) : '  –';

export const HEADER = 'days  items written  prec recall owner(said) | essential matter lines words | waits wrong | urgent(said) tense(said)';

export function rowOf(name: string, sums: Sums): string {
  const of = (part: string, whole: string) => share(sums, part, whole);
  return [
    name.padEnd(10),
    String(sums.days ?? 0).padStart(4),
    String(sums.labelled ?? 0).padStart(6),
    String(sums.written ?? 0).padStart(6),
    `  ${of('right', 'written')} ${of('found', 'labelled')}  ${of('ownersRight', 'owners')} (${of('owners', 'owned')})`,
    ` | ${of('essentialShown', 'essential')} ${of('shownMatter', 'shown')} ${of('shown', 'messages')} ${Math.round((sums.words ?? 0) / (sums.long ?? 1))}`,
    ` | ${of('waitingFound', 'waiting')} ${of('calmWrong', 'calm')}`,
    ` | ${of('urgentRight', 'urgent')} (${sums.urgent ?? 0} of ${sums.isUrgent ?? 0}) ${of('tenseRight', 'tense')} (${sums.tense ?? 0} of ${sums.isTense ?? 0})`,
  ].join('');
}

export function storyRow(name: string, sums: Sums): string {
  const of = (part: string, whole: string) => share(sums, part, whole);
  return `${name.padEnd(10)} ${sums.stories ?? 0} stories, ${sums.promises ?? 0} promises, ${sums.ended ?? 0} ended: asked for ${of('askedRight', 'ended')} of 100 that ended, right ${of('askedRight', 'asked')} of 100 asked (${sums.asked ?? 0}; ${sums.askedDoubtful ?? 0} doubtful); closed ${sums.closed ?? 0}, ${sums.closedRight ?? 0} right`;
}
