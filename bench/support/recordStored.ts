import { EMPTY_CONTENT, NO_SOURCES } from '../../src/features/digests/schema.ts';
import { recordPromises } from '../../src/features/promises/fromDigests/repo.ts';
import type { Db } from '../../src/lib/db.ts';

type Stored = { userId: string; digestIds: readonly string[]; now: Date };

/** Makes promises of digests that were put into the database, as their writer does. */
export async function recordStored(db: Db, { userId, digestIds, now }: Stored): Promise<void> {
  const rows = await db('digests')
    .where({ user_id: userId })
    .whereIn('id', digestIds)
    .select('*', db.raw(`to_char(digest_date, 'YYYY-MM-DD') as day`));
  const digests = rows.map(row => ({
    ...{ digestId: row.id, dialogId: row.dialog_id, digestDate: row.day, engine: row.engine ?? '', answers: [] },
    afterMessageId: Number(row.after_message_id),
    structured: row.structured ?? EMPTY_CONTENT,
    sources: row.sources ?? NO_SOURCES,
  }));
  await recordPromises(db, { userId, now }, { digests });
}
