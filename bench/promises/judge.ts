import { readClosings } from '../../src/clients/summarizer/builtIn/closings.ts';
import type { Closing, OpenPromise } from '../../src/clients/summarizer/types.ts';
import type { LabelledPair } from '../items/pairs.ts';
import { storedOf } from '../items/stored.ts';

/** What became of a promise, and what was told of it. `promise`: as it was told of, or null where it is not stored. */
export type Judged = {
  state: string;
  told: string;
  isDayRight: boolean;
  language: string;
  isStored: boolean;
  promise: OpenPromise | null;
  closing: Closing | null;
};
export type Way = 'labelled' | 'stored';

/** What is said of a pair's promises, and the closings of those that the first day's digest says, labelled or not. */
export async function judgePair(
  pair: LabelledPair,
): Promise<Record<Way, Judged[]> & { unlabelled: OpenPromise[]; closings: Closing[] }> {
  const { language, request, promises, labels } = pair;
  const stored = await storedOf(pair);
  const closingsBy = {
    labelled: await readClosings({ ...request, openPromises: promises }),
    stored: await readClosings({ ...request, openPromises: stored.map(({ promise }) => promise) }),
  };
  const judgeBy = (way: Way) =>
    promises.map((labelled, at): Judged => {
      const item = stored.find(one => one.label === at)?.promise ?? null;
      const promise = way === 'labelled' ? labelled : item;
      const { state = 'open', newDueDate = null } = labels[at] ?? {};
      const closing = closingsBy[way].find(({ n }) => n === promise?.n) ?? null;
      const isDayRight = (closing?.newDueDate ?? null) === newDueDate;
      const told = closing?.state === 'handedOver' ? 'cancelled' : (closing?.state ?? 'open');
      return { state, told, isDayRight, language, isStored: item !== null, promise, closing };
    });
  return {
    labelled: judgeBy('labelled'),
    stored: judgeBy('stored'),
    unlabelled: stored.filter(({ label }) => label === null).map(({ promise }) => promise),
    closings: closingsBy.stored,
  };
}

export function isRight({ state, told, isDayRight }: Judged): boolean {
  return state === 'open' ? told === 'open' : state === told && isDayRight;
}

export function isWrong({ state, told }: Judged): boolean {
  return ['done', 'cancelled'].includes(told) && told !== state;
}

/** Moved though it wasn't, or to another day. */
export function isMisdated(judged: Judged): boolean {
  return judged.told === 'moved' && !isRight(judged);
}
