import type { Db } from '../../lib/db.ts';
import { isUuid } from '../../lib/uuid.ts';
import { SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../digests/repo.ts';
import type { ShownDigest } from '../digests/schema.ts';

type Tick = {
  userId: string;
  digestId: string;
  itemId: string;
  /** Null opens the item again. The first tick stays: ticked twice is ticked once. */
  doneAt: Date | null;
};

/**
 * Ticks an action item or opens it again, in one statement, while the digest can't be written anew. The digest with it;
 * undefined for an unknown item or digest and for somebody else's.
 */
export async function setTick(db: Db, { userId, digestId, itemId, doneAt }: Tick): Promise<ShownDigest | undefined> {
  // Postgres takes no NUL character in a text.
  if (!isUuid(digestId) || itemId.includes('\0')) return undefined;
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select ${SHOWN_COLUMNS} from set_tick(?, ?, ?, ?) as digests ${SHOWN_JOINS}`,
    [userId, digestId, itemId, doneAt],
  );
  const [row] = rows;
  if (!row) return undefined;
  const digest = toShown(row);
  // The statement itself does not see yet what it has written.
  const ticked = new Set(digest.ticked);
  if (doneAt) ticked.add(itemId);
  else ticked.delete(itemId);
  return { ...digest, ticked };
}
