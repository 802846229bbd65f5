import { type Db, deleteOlder, type Sweep } from '../../../lib/db.ts';
import { type Kept, writtenRow } from './schema.ts';

type Key = { userId: string; fingerprint: string };

/** What was written for exactly this; undefined for what is older than `since`. */
export async function findWritten(
  db: Db,
  { userId, fingerprint, since }: Key & { since: Date },
): Promise<Kept | undefined> {
  const row = await db('written_answers')
    .where({ user_id: userId, fingerprint: fingerprint })
    .where('written_at', '>=', since)
    .first('sent', 'sentences');
  return row && writtenRow.parse(row);
}

/** Takes the place of what was written for the same before. */
export async function keepWritten(
  db: Db,
  { userId, fingerprint, sent, sentences, now }: Key & Kept & { now: Date },
): Promise<void> {
  await db('written_answers')
    .insert({
      ...{ user_id: userId, fingerprint: fingerprint, sent, written_at: now },
      sentences: JSON.stringify(sentences),
    })
    .onConflict(['user_id', 'fingerprint'])
    .merge();
}

/** They may rest on what is deleted now. */
export async function forgetWritten(db: Db, { userId }: { userId: string }): Promise<void> {
  await db('written_answers').where({ user_id: userId }).delete();
}

/** Returns how many were deleted. */
export async function deleteWrittenOfAllUsers(db: Db, sweep: Sweep): Promise<number> {
  return deleteOlder(db, 'written_answers', { key: ['user_id', 'fingerprint'], column: 'written_at' }, sweep);
}
