import type { Db } from '../../lib/db.ts';
import { MOVES } from '../digests/rules.ts';
import { NOTE_REFUSED } from '../digests/schema.ts';

/** The moves of a digest on account of its note. Rows that are elsewhere by now are left alone. */

type Moved = { userId: string; digestIds: readonly string[]; now: Date };

/** A note of these is to be written; of failed ones only where nothing but the note failed. */
export async function startNotes(db: Db, { userId, digestIds, now }: Moved): Promise<void> {
  if (digestIds.length === 0) return;
  await db('digests')
    .where({ user_id: userId })
    .whereRaw('id = any(?::uuid[])', [[...digestIds]])
    .where(ready => ready.where({ status: 'COMPLETE' }).orWhere({ status: 'FAILED', reason: NOTE_REFUSED }))
    .update({ status: MOVES.startNote.to, reason: null, updated_at: now });
}

/** Nothing is left to write of these. */
export async function finishNotes(db: Db, { userId, digestIds, now }: Moved): Promise<void> {
  if (digestIds.length === 0) return;
  await db('digests')
    .where({ user_id: userId })
    .whereRaw('id = any(?::uuid[])', [[...digestIds]])
    .whereIn('status', MOVES.finishNote.from)
    .update({ status: MOVES.finishNote.to, updated_at: now });
}

/** The CRM does not take the notes of these. */
export async function refuseNotes(db: Db, { userId, digestIds, now }: Moved): Promise<void> {
  if (digestIds.length === 0) return;
  await db('digests')
    .where({ user_id: userId })
    .whereRaw('id = any(?::uuid[])', [[...digestIds]])
    .whereIn('status', MOVES.refuseNote.from)
    .update({ status: MOVES.refuseNote.to, reason: NOTE_REFUSED, updated_at: now });
}
