import type { Db } from '../../lib/db.ts';
import { listNewestDigests } from './repo.ts';
import type { Digest } from './schema.ts';

const NEWEST = 50;

/** The user's 50 most recent digests: by day, rows with a summary first, then by the last message. */
export async function newestDigests(deps: { db: Db }, { userId }: { userId: string }): Promise<Digest[]> {
  return listNewestDigests(deps.db, { userId, limit: NEWEST });
}
