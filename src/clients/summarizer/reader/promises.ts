import { type DayRead, type DayWords, HEAD_COUNT, HEAD_INDEX } from './features.ts';
import { countWords, scoreSharedWords } from './joined.ts';
import { scoreTrees, type Trees } from './trees.ts';

/** A promise or request from before the day that is read. `who`: who owes it, if that is known. */
export type PromiseRead = {
  who: string | null;
  /** The authors of its source messages. */
  authors: string[];
  words: DayWords;
  daysAgo: number;
  /** Days from the day that is read until it is due; null without a day. */
  daysLeft: number | null;
};

/** The columns of a row: words that message and promise share, the message, the promise and its role, and the neighbors. */
const SHARED = { words: 0, ahead: 1, behind: 2, most: 3, mostBefore: 50, mostAfter: 51 };
const MESSAGE = { isUsers: 5, isInGroup: 6, place: 10, text: 16, scores: 52 };
const PROMISE = { role: 4, count: 7, daysAgo: 8, daysLeft: 9, isAuthor: 13, isOfNobody: 14, isUsers: 15 };
const NEIGHBORS = [-3, -2, -1, 1, 2, 3].map((step, k) => ({
  step,
  words: 20 + 5 * k,
  role: 21 + 5 * k,
  scores: 22 + 5 * k,
}));
const NEIGHBOR_SCORES = [HEAD_INDEX.asked, HEAD_INDEX.settles, HEAD_INDEX.ends];
const WIDTH = MESSAGE.scores + HEAD_COUNT;

/** The features by which a message of a later day is judged to end a promise: a row for each promise and message. */
export function promiseRows(day: DayRead, words: DayWords, scores: Float32Array, promises: PromiseRead[]): Float32Array[][] {
  const counts = countWords([words, ...promises.map(promise => promise.words)]);
  const shared = promises.map(promise =>
    words.map(message => promise.words.reduce((sum, said) => sum + scoreSharedWords(said, message, counts), 0)),
  );
  const highest = day.messages.map((_, at) => highestTwo(shared.map(scores => scores[at]!)));
  const plain = day.messages.map((_, at) => rowOfMessage(day, scores, at));
  return promises.map((promise, n) => {
    const own = shared[n]!;
    const before = largestBefore(own);
    const after = largestBefore(own.toReversed()).reverse();
    const most = Math.max(0, ...own);
    const roles = day.messages.map(({ from }) => authorRole(promise, from, day.isGroup));
    return plain.map((message, at) => {
      const row = message.slice();
      const { first, second } = highest[at]!;
      row[SHARED.words] = own[at]!;
      row[SHARED.ahead] = own[at]! - (first === own[at] ? second : first);
      row[SHARED.behind] = own[at]! - most;
      row[SHARED.most] = most;
      row[PROMISE.role] = roles[at]!;
      row[PROMISE.count] = promises.length;
      row[PROMISE.daysAgo] = promise.daysAgo;
      row[PROMISE.daysLeft] = promise.daysLeft ?? 30;
      row[PROMISE.isAuthor] = Number(promise.authors.includes(day.messages[at]!.from));
      row[PROMISE.isOfNobody] = Number(promise.who === null);
      row[PROMISE.isUsers] = Number(promise.who === day.user);
      for (const near of NEIGHBORS) {
        row[near.words] = own[at + near.step] ?? -1;
        row[near.role] = roles[at + near.step] ?? -1;
      }
      row[SHARED.mostBefore] = before[at]!;
      row[SHARED.mostAfter] = after[at]!;
      return row;
    });
  });
}

/** How much a message speaks of a promise, by their row, and how much more than of the others. */
export const readSharedWords = (row: Float32Array) => ({ shared: row[SHARED.words]!, ahead: row[SHARED.ahead]! });

/**
 * Added on the due date and after it, as promises end more often then than in the training data. With it, of 106 promises of
 * `training/apart`, which no model was trained on, on their due date 83 are rightly asked about or rightly not. On the day
 * before, hardly half of those that it would add have ended.
 */
const ON_ITS_DAY = 1.5;
const AFTER_ITS_DAY = 1;

/** How likely a message ends a promise, by their row. */
export function scoreEnd(ends: Trees, row: Float32Array): number {
  const daysLeft = row[PROMISE.daysLeft]!;
  const near = daysLeft === 0 ? ON_ITS_DAY : AFTER_ITS_DAY;
  return scoreTrees(ends, row) + (daysLeft > 0 ? 0 : near);
}

/** The columns of a message that are the same for every promise; the others are left at zero. */
function rowOfMessage(day: DayRead, scores: Float32Array, at: number): Float32Array {
  const { from, text } = day.messages[at]!;
  const count = day.messages.length;
  const row = new Float32Array(WIDTH);
  row[MESSAGE.isUsers] = Number(from === day.user);
  row[MESSAGE.isInGroup] = Number(day.isGroup);
  row.set([at, count, at / count], MESSAGE.place);
  row.set([text.length, Number(/[?？؟;]/.test(text)), Number(/\d/.test(text)), Number(text.includes('['))], MESSAGE.text);
  for (const { step, scores: column } of NEIGHBORS)
    for (const [n, head] of NEIGHBOR_SCORES.entries())
      row[column + n] = day.messages[at + step] ? scores[(at + step) * HEAD_COUNT + head]! : -8;
  row.set(scores.subarray(at * HEAD_COUNT, (at + 1) * HEAD_COUNT), MESSAGE.scores);
  return row;
}

/** The two largest numbers, each at least 0. They are the same if two numbers are equal. */
function highestTwo(numbers: number[]): { first: number; second: number } {
  let [first, second] = [0, 0];
  for (const number of numbers) {
    if (number > first) [first, second] = [number, first];
    else second = Math.max(second, number);
  }
  return { first, second };
}

/** For each number, the largest of those before it, or 0. */
function largestBefore(numbers: number[]): number[] {
  let most = 0;
  return numbers.map(number => {
    const before = most;
    most = Math.max(most, number);
    return before;
  });
}

function authorRole({ who, authors }: PromiseRead, from: string, isGroup: boolean): number {
  if (who === null) return 0;
  if (who === from) return 1;
  return !isGroup || authors.includes(from) ? 2 : 3;
}
