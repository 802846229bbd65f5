import { localDay } from '../../lib/timezones.ts';
import { clockTime, countOf, listOf, nearDay } from '../../lib/words.ts';
import type { LedgerPromise } from '../promises/schema.ts';

type Now = { today: string; timezone: string };

export type ClosedRow = {
  id: string;
  words: string;
  /** Whether it was kept is for the person to say. */
  isDoubtful: boolean;
  /** Who said so, and when: `Tue 24 Nov, 14:20`. */
  evidence: { who: string; when: string; quote: string } | undefined;
};

/** Promises that messages closed of late, each with what that rests on. `heading` is empty where there are none. */
export function describeClosed(
  promises: readonly LedgerPromise[],
  now: Now,
): { heading: string; note: string; isAsking: boolean; rows: ClosedRow[] } {
  const kept = promises.filter(({ state }) => state === 'done').length;
  const cancelled = promises.filter(({ state }) => state === 'cancelled').length;
  const asked = promises.filter(({ isDoubtful }) => isDoubtful).length;
  const counts = [
    kept > 0 && `${kept} kept`,
    cancelled > 0 && `${cancelled} not needed any more`,
    asked > 0 && countOf(asked, 'question', 'questions'),
  ].filter(count => count !== false);
  return {
    heading: promises.length > 0 ? 'Closed since yesterday' : '',
    note: listOf(counts),
    isAsking: asked > 0,
    rows: promises.map(({ id, words, isDoubtful, evidence }) => ({
      ...{ id, words, isDoubtful },
      evidence: evidence
        ? { who: evidence.who, when: whenWords(evidence.when, now), quote: evidence.words }
        : undefined,
    })),
  };
}

function whenWords(iso: string, { today, timezone }: Now): string {
  const moment = new Date(iso);
  return `${nearDay(localDay(moment, timezone), today)}, ${clockTime(moment, timezone)}`;
}
