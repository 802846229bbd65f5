import { countOf, shortDay } from '../../../lib/words.ts';
import { toTitle } from '../../digests/describeWords.ts';
import type { LedgerPromise } from '../schema.ts';

type Changes = { changed: LedgerPromise[]; today: string };

const WRITTEN = { add: 'Added', edit: 'Saved' } as const;

/** The line that says what was decided, with Undo. Undefined if nothing was decided. */
export function describeChange({ changed, today }: Changes) {
  const [first] = changed;
  if (!first) return undefined;
  const { id, state, snoozedUntil, changedAt, undoes } = first;
  const many = changed.length > 1;
  const told = many ? countOf(changed.length, 'promise', 'promises') : toTitle(first);
  const what = {
    ...{
      done: many ? `${told} done` : `Done: ${told}`,
      dismissed: `Not a task: ${told}`,
      cancelled: `Cancelled: ${told}`,
    },
    ...{ open: `Open again: ${told}`, withdrawn: `Withdrawn: ${told}` },
    snoozed: `Back on ${snoozedUntil ? shortDay(snoozedUntil, today) : 'another day'}: ${told}`,
  };
  const at = String(changedAt.getTime());
  const written = many ? null : undoes;
  return {
    words: written ? `${WRITTEN[written]}: ${told}` : what[state],
    undo: many ? '/promises' : `/promises/${id}`,
    fields: many ? { action: 'undo', at } : { action: 'undo' },
    // What was written changes more than the row: the list is read again.
    rows: written ? [] : changed.map(one => one.id),
  };
}
