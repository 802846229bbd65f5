import { chooseItems } from '../src/clients/summarizer/reader/choose.ts';
import { contextFeatures, MAX_DISTANCE, pairRow } from '../src/clients/summarizer/reader/context.ts';
import {
  type DayRead,
  type DayWords,
  HEAD_COUNT,
  HEAD_INDEX,
  type Head,
  listSlots,
  readDayWords,
} from '../src/clients/summarizer/reader/features.ts';
import { countWords, createJoined, type Joined, scoreSharedWords } from '../src/clients/summarizer/reader/joined.ts';
import { type DayScored, type Model, type Thresholds, thirdPass } from '../src/clients/summarizer/reader/model.ts';
import { MIN_COMMITMENT_SCORE, outcomeRow } from '../src/clients/summarizer/reader/outcome.ts';
import { type PromiseRead, promiseRows } from '../src/clients/summarizer/reader/promises.ts';
import { scoreTrees, type Trees } from '../src/clients/summarizer/reader/trees.ts';
import { SLOT_BITS } from '../src/clients/summarizer/reader/words.ts';
import { asRead, type LabelledDay, type LabelledStory } from './data.ts';
import { isJoined, labelsOf, labelsOfStoryDay } from './labels.ts';
import { fitWeights, type Options, sumInto } from './learn.ts';
import { cutsOf, growTrees, type TreeOptions, tableOf } from './trees.ts';

const FOLDS = 4;
const SLOTS = 1 << SLOT_BITS;
const WORDS: Options = { epochs: 6, rate: 0.05, decay: 1e-3, positives: 1, dropout: 0, seed: 0 };
const CONTEXT: TreeOptions = { count: 90, depth: 4, rate: 0.12, l2: 20, seed: 0, sample: 0.7, columns: 0.5 };
const PAIRS: TreeOptions = { count: 80, depth: 5, rate: 0.15, l2: 20, seed: 0, sample: 0.5, columns: 0.6 };
const OUTCOME: TreeOptions = { count: 80, depth: 4, rate: 0.1, l2: 20, seed: 0, sample: 0.7, columns: 0.5 };
const ENDS: TreeOptions = { count: 100, depth: 3, rate: 0.08, l2: 10, seed: 0, sample: 0.7, columns: 0.5 };
/** What the second pass learns. */
const IN_CONTEXT: Head[] = ['binds', 'asked', 'settles', 'essential', 'matters', 'waits', 'self'];

type Unit = { read: DayRead; words: DayWords; slots: Int32Array[]; labels: Float32Array[]; fold: number };

function unitOf(read: DayRead, labels: Float32Array[], fold: number): Unit {
  const words = readDayWords(read);
  return { read, words, slots: read.messages.map((_, at) => listSlots(read, words, at)), labels, fold };
}

/** Messages: most days of most conversations are so short, and hardly one that was written to learn from. */
const MAX_END_LENGTH = 5;

/** The last messages of a day as a day of its own: what they bind, ask and leave waiting is the same. */
function endOf({ read, labels, fold }: Unit, count: number): Unit {
  return unitOf({ ...read, messages: read.messages.slice(-count) }, labels.slice(-count), fold);
}

/** Whole hands go into one fold, the largest first into the smallest. */
function foldsOf(hands: string[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const hand of hands) sizes.set(hand, (sizes.get(hand) ?? 0) + 1);
  const filled = new Array<number>(FOLDS).fill(0);
  const folds = new Map<string, number>();
  for (const [hand, size] of [...sizes].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))) {
    const fold = filled.indexOf(Math.min(...filled));
    folds.set(hand, fold);
    filled[fold] = filled[fold]! + size;
  }
  return folds;
}

type Say = (what: string) => void;

export function learn(days: LabelledDay[], stories: LabelledStory[], say: Say = () => {}): Model {
  const folds = foldsOf(days.map(({ hand }) => hand));
  const units = days.map(day => unitOf(asRead(day), labelsOf(day), folds.get(day.hand)!));
  const storyUnits = stories.map((story, n) =>
    story.days.map((day, at) =>
      unitOf(asRead({ ...story, messages: day.messages }), labelsOfStoryDay(story, at), n % FOLDS),
    ),
  );
  const endings = units.map((unit, n) => endOf(unit, 1 + (n % MAX_END_LENGTH)));
  const all = [...units, ...endings, ...storyUnits.flat()];
  const { weights, scales, first } = learnWords(all);
  say('words');
  const { context, scores: second } = learnContext(all, first);
  say('context');
  const pair = learnPairs(days, units, second);
  say('pairs');
  const joined = all.map(({ read, words, fold }, n) => createJoined(pair.apart[fold]!, read, words, second[n]!));
  const { outcome, scores } = learnOutcome(all, second, joined);
  say('outcome');
  const elsewhere = stories.map((story, n) =>
    otherDays(story, n, days).flatMap(at =>
      [at, units.length + at].map(one => ({ unit: all[one]!, scores: scores[one]!, day: days[at]! })),
    ),
  );
  const ends = learnEnds(stories, storyUnits, scores.slice(2 * units.length), elsewhere);
  say('stories');
  const thresholds = { ...thresholdsOfDays(days, units, scores, joined), ...ends.thresholds };
  return { weights, scales, context, pair: pair.trees, outcome, ends: ends.trees, thresholds };
}

const FOLD_NUMBERS = Array.from({ length: FOLDS }, (_, fold) => fold);

function learnWords(units: Unit[]) {
  const first = units.map(({ slots }) => new Float32Array(slots.length * HEAD_COUNT));
  const examplesOf = (some: Unit[]) =>
    some.flatMap(({ slots, labels }) => slots.map((of, at) => ({ slots: of, labels: labels[at]! })));
  for (const fold of FOLD_NUMBERS) {
    const weights = fitWeights(examplesOf(units.filter(unit => unit.fold !== fold)), SLOTS, HEAD_COUNT, WORDS);
    for (const [n, unit] of units.entries())
      if (unit.fold === fold)
        for (const [at, slots] of unit.slots.entries()) sumInto(first[n]!, weights, slots, HEAD_COUNT, at * HEAD_COUNT);
  }
  return { ...quantize(fitWeights(examplesOf(units), SLOTS, HEAD_COUNT, WORDS)), first };
}

/** Of the largest weight of a head; smaller ones are left out. */
const LARGEST = 0.8;
const SMALLEST = 2;

/** Weights of a byte each: the rare ones that are larger than others by far are cut. */
function quantize(exact: Float32Array): { weights: Int8Array; scales: Float32Array } {
  const scales = new Float32Array(HEAD_COUNT).fill(LARGEST / 127);
  const weights = Int8Array.from(exact, weight => {
    const rounded = Math.max(-127, Math.min(127, Math.round((weight * 127) / LARGEST)));
    return Math.abs(rounded) < SMALLEST ? 0 : rounded;
  });
  return { weights, scales };
}

function learnContext(units: Unit[], first: Float32Array[]) {
  const scores = first.map(of => Float32Array.from(of));
  const context: (Trees | null)[] = new Array<null>(HEAD_COUNT).fill(null);
  const rowsOf = units.map(({ read }, n) => read.messages.map((_, at) => contextFeatures(read, first[n]!, at)));
  const cuts = cutsOf(rowsOf.flat());
  const part = (chosen: number[]) => ({
    chosen,
    table: tableOf(
      chosen.flatMap(n => rowsOf[n]!),
      cuts,
    ),
  });
  const numbers = units.map((_, n) => n);
  const parts = FOLD_NUMBERS.map(fold => part(numbers.filter(n => units[n]!.fold !== fold)));
  const whole = part(numbers);
  for (const name of IN_CONTEXT) {
    const head = HEAD_INDEX[name];
    const grow = ({ chosen, table }: typeof whole) => {
      const labels = Float32Array.from(chosen.flatMap(n => units[n]!.labels.map(of => of[head]!)));
      const offsets = Float32Array.from(
        chosen.flatMap(n => units[n]!.labels.map((_, at) => first[n]![at * HEAD_COUNT + head]!)),
      );
      return growTrees(table, labels, offsets, CONTEXT);
    };
    for (const fold of FOLD_NUMBERS) {
      const trees = grow(parts[fold]!);
      for (const n of numbers)
        if (units[n]!.fold === fold)
          for (const [at, row] of rowsOf[n]!.entries()) scores[n]![at * HEAD_COUNT + head]! += scoreTrees(trees, row);
    }
    context[head] = grow(whole);
  }
  return { context, scores };
}

/** `offset`: the score that trees start from. */
type Sample = { fold: number; row: Float32Array; label: number; offset?: number };

function learnApart(samples: Sample[], options: TreeOptions): { trees: Trees; apart: Trees[] } {
  const known = samples.filter(({ label }) => !Number.isNaN(label));
  const cuts = cutsOf(known.map(({ row }) => row));
  const grow = (some: Sample[]) =>
    growTrees(
      tableOf(
        some.map(({ row }) => row),
        cuts,
      ),
      Float32Array.from(some, ({ label }) => label),
      Float32Array.from(some, ({ offset = 0 }) => offset),
      options,
    );
  return { apart: FOLD_NUMBERS.map(fold => grow(known.filter(sample => sample.fold !== fold))), trees: grow(known) };
}

function learnPairs(days: LabelledDay[], units: Unit[], scores: Float32Array[]) {
  const samples: Sample[] = [];
  for (const [n, { read, words, fold }] of units.entries()) {
    const counts = countWords([words]);
    for (let one = 0; one < words.length; one++)
      for (let other = one + 1; other < words.length && other - one <= MAX_DISTANCE; other++) {
        const row = pairRow(read, scores[n]!, one, other, scoreSharedWords(words[one]!, words[other]!, counts));
        samples.push({ fold, row, label: isJoined(days[n]!, one, other) });
      }
  }
  return learnApart(samples, PAIRS);
}

function learnOutcome(units: Unit[], second: Float32Array[], joined: Joined[]) {
  const head = HEAD_INDEX.binds;
  const samples = units.flatMap(({ read, labels, fold }, n) =>
    labels.flatMap((of, at) => {
      const offset = second[n]![at * HEAD_COUNT + head]!;
      return offset < MIN_COMMITMENT_SCORE
        ? []
        : [{ fold, offset, row: outcomeRow(read, second[n]!, joined[n]!, at), label: of[head]! }];
    }),
  );
  const { trees, apart } = learnApart(samples, OUTCOME);
  const scores = units.map(({ read, fold }, n) => thirdPass(apart[fold]!, read, second[n]!, joined[n]!));
  return { outcome: trees, scores };
}

/** The lowest score from which on as many as `share` of a hundred are right; Infinity where too few are shown. */
function thresholdFor(scored: { score: number; isRight: boolean }[], share: number, fewest = 20): number {
  const sorted = scored.toSorted((a, b) => b.score - a.score);
  let [right, threshold] = [0, Infinity];
  for (const [at, { score, isRight }] of sorted.entries()) {
    right += Number(isRight);
    if (at + 1 >= fewest && right >= (share / 100) * (at + 1)) threshold = score;
  }
  return threshold;
}

const DAY = 86_400_000;
const daysFrom = (one: string, other: string) => Math.round((Date.parse(other) - Date.parse(one)) / DAY);

/** The promises open before a story's day, and whether a message of that day ends each. */
export function promisesOn(story: LabelledStory, n: number): { numbers: number[]; promises: PromiseRead[] } {
  const { days, promises } = story;
  const numbers = promises.flatMap(({ day, ends }, at) =>
    day < n && !ends.some(end => end.day < n && (end.how === 'done' || end.how === 'cancelled')) ? [at] : [],
  );
  const read = numbers.map(at => {
    const { day, on, who, date } = promises[at]!;
    const messages = days[day]!.messages;
    const words = readDayWords(
      asRead({ ...story, messages: [...days.flatMap(other => other.messages), ...on.map(k => messages[k]!)] }),
    ).slice(-on.length);
    return {
      who,
      authors: on.map(k => messages[k]![1]),
      words,
      daysAgo: daysFrom(days[day]!.day, days[n]!.day),
      daysLeft: date ? daysFrom(days[n]!.day, date) : null,
    };
  });
  return { numbers, promises: read };
}

/** Days of other chats for each story, on which what was promised is not spoken of. */
const OTHER_DAYS = 2;

/** The places of days in the same language, of another chat than a story's. */
export function otherDays(story: LabelledStory, n: number, days: LabelledDay[]): number[] {
  const alike = days.flatMap((day, at) => (day.language === story.language && day.group === story.group ? [at] : []));
  if (alike.length === 0) return [];
  return Array.from({ length: OTHER_DAYS }, (_, k) => alike[(7 * n + 3 * k) % alike.length]!);
}

/** A story's first promises, as if the people of another day had made them the day before. */
export function promisesAmong(story: LabelledStory, { user, peer }: LabelledDay): PromiseRead[] {
  const nameOf = (name: string) => (name === story.user ? user : peer);
  return promisesOn(story, 1).promises.map(promise => ({
    ...promise,
    who: promise.who && nameOf(promise.who),
    authors: promise.authors.map(nameOf),
  }));
}

type Scored = { unit: Unit; scores: Float32Array; day: LabelledDay };

function learnEnds(stories: LabelledStory[], units: Unit[][], scores: Float32Array[], elsewhere: Scored[][]) {
  const samples: (Sample & { promise: string; isElsewhere: boolean })[] = [];
  let at = 0;
  for (const [number, story] of stories.entries()) {
    for (const [n, unit] of units[number]!.entries()) {
      const ofDay = scores[at++]!;
      const { numbers, promises } = promisesOn(story, n);
      for (const [k, rows] of promiseRows(unit.read, unit.words, ofDay, promises).entries()) {
        const { ends } = story.promises[numbers[k]!]!;
        const about = { fold: unit.fold, promise: `${number} ${numbers[k]}`, isElsewhere: false };
        for (const [message, row] of rows.entries()) {
          const isEnd = ends.some(({ day, by, how }) => day === n && how !== 'moved' && by.includes(message));
          samples.push({ ...about, row, label: Number(isEnd) });
        }
      }
    }
    for (const [other, { unit, scores: ofDay, day }] of elsewhere[number]!.entries())
      for (const [k, rows] of promiseRows(unit.read, unit.words, ofDay, promisesAmong(story, day)).entries()) {
        const about = { fold: number % FOLDS, promise: `${number} ${k} ${other}`, isElsewhere: true };
        samples.push(...rows.map(row => ({ ...about, row, label: 0 })));
      }
  }
  if (samples.length === 0) return { trees: EMPTY, thresholds: { asks: Infinity } };
  const { trees, apart } = learnApart(samples, ENDS);
  const calm = new Map<string, number>();
  for (const { promise, isElsewhere, fold, row } of samples)
    if (isElsewhere) calm.set(promise, Math.max(calm.get(promise) ?? -Infinity, scoreTrees(apart[fold]!, row)));
  return { trees, thresholds: { asks: exceededBy(WRONGLY_ASKED, [...calm.values()]) } };
}

/** The score that `share` of a hundred exceed. */
function exceededBy(share: number, scores: number[]): number {
  return scores.toSorted((a, b) => b - a)[Math.floor((scores.length * share) / 100)] ?? 0;
}

const EMPTY: Trees = { depth: 1, features: new Uint8Array(0), thresholds: new Float32Array(0), leaves: new Float32Array(0) };
/** Of a hundred open promises, on a day of another chat. */
const WRONGLY_ASKED = 3;
/** On hands left out while learning; on hands kept apart, with all days to learn from, more are right. */
const RIGHT_ITEMS = 89;
const RIGHT_OWNERS = 80;
const JOINED = 0;
/** Of a hundred days on which nobody waits. */
const WRONGLY_WAITING = 2.5;

/** The lowest score from which on nine of ten items rest on a message that was labelled. */
function bindsFrom(labelled: { day: LabelledDay; scored: DayScored }[]): number {
  for (let binds = -1; binds < 4; binds += 0.05) {
    const items = labelled.flatMap(({ day, scored }) =>
      chooseItems(scored, { binds, joined: JOINED }).map(({ binding, others }) =>
        day.items.some(item => [binding, ...others].some(at => item.on.includes(at))),
      ),
    );
    if (items.filter(Boolean).length >= (RIGHT_ITEMS / 100) * items.length) return Number(binds.toFixed(2));
  }
  return Infinity;
}

/** On days that were labelled in full: the older ones leave open too much of what is right. */
function thresholdsOfDays(
  days: LabelledDay[],
  units: Unit[],
  scores: Float32Array[],
  joined: Joined[],
): Omit<Thresholds, 'asks'> {
  const labelled: { day: LabelledDay; scored: DayScored }[] = [];
  const calm: number[] = [];
  for (const [n, { read, words }] of units.entries()) {
    if (!days[n]!.waits) continue;
    labelled.push({ day: days[n]!, scored: { day: read, words, scores: scores[n]!, joined: joined[n]! } });
    if (days[n]!.waits?.length === 0)
      calm.push(Math.max(...read.messages.map((_, at) => scores[n]![at * HEAD_COUNT + HEAD_INDEX.waits]!)));
  }
  const owners = days.flatMap((day, n) =>
    day.items.flatMap(({ on, who }) =>
      who
        ? on.map(at => ({ score: scores[n]![at * HEAD_COUNT + HEAD_INDEX.self]!, isSelf: day.messages[at]![1] === who }))
        : [],
    ),
  );
  return {
    binds: bindsFrom(labelled),
    self: thresholdFor(
      owners.map(({ score, isSelf }) => ({ score: Math.abs(score), isRight: score > 0 === isSelf })),
      RIGHT_OWNERS,
    ),
    waits: exceededBy(WRONGLY_WAITING, calm),
    joined: JOINED,
  };
}
