import { COUNT, type DayRead, type DayWords, HEAD } from './features.ts';
import { countWords, wordsShared } from './shared.ts';

/** What someone had promised or asked for before the day that is read. `who`: whoever is to do it, where it is known. */
export type PromiseRead = {
  who: string | null;
  /** Whoever wrote the messages that it rests on. */
  authors: string[];
  words: DayWords;
  daysAgo: number;
  /** Days from the day that is read until it is due; null without a day. */
  daysLeft: number | null;
};

const NEAR = [-3, -2, -1, 1, 2, 3];

/** What tells whether a message of a later day ends a promise: a row a promise and message. */
export function promiseRows(
  day: DayRead,
  words: DayWords,
  scores: Float32Array,
  promises: PromiseRead[],
): Float32Array[][] {
  const counts = countWords([words, ...promises.map(promise => promise.words)]);
  const shared = promises.map(promise =>
    words.map(message => promise.words.reduce((sum, said) => sum + wordsShared(said, message, counts), 0)),
  );
  const most = shared.map(of => Math.max(0, ...of));
  return promises.map((promise, n) =>
    day.messages.map(({ from, text }, at) => {
      const own = shared[n]![at]!;
      const others = Math.max(0, ...shared.map((of, other) => (other === n ? 0 : of[at]!)));
      const role = roleOf(promise, from, day.isGroup);
      const row = [own, own - others, own - most[n]!, most[n]!, role, Number(from === day.user), Number(day.isGroup)];
      row.push(
        promises.length,
        promise.daysAgo,
        promise.daysLeft ?? 30,
        at,
        day.messages.length,
        at / day.messages.length,
      );
      row.push(promise.authors.includes(from) ? 1 : 0, Number(promise.who === null), Number(promise.who === day.user));
      row.push(text.length, Number(/[?？؟;]/.test(text)), Number(/\d/.test(text)), Number(text.includes('[')));
      for (const step of NEAR) {
        const near = day.messages[at + step];
        row.push(near ? shared[n]![at + step]! : -1, near ? roleOf(promise, near.from, day.isGroup) : -1);
        for (const head of [HEAD.asked, HEAD.settles, HEAD.ends])
          row.push(near ? scores[(at + step) * COUNT + head]! : -8);
      }
      const earlier = Math.max(0, ...shared[n]!.slice(0, at));
      row.push(earlier, Math.max(0, ...shared[n]!.slice(at + 1)));
      for (let head = 0; head < COUNT; head++) row.push(scores[at * COUNT + head]!);
      return Float32Array.from(row);
    }),
  );
}

function roleOf({ who, authors }: PromiseRead, from: string, isGroup: boolean): number {
  if (who === null) return 0;
  if (who === from) return 1;
  return !isGroup || authors.includes(from) ? 2 : 3;
}
