import { type Db, deleteFound } from '../../lib/db.ts';

/** Of all users. The conversations and how far they were read stay. @param before YYYY-MM-DD @returns how many */
export async function deleteDigestsOfAllUsers(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  const old = db.queryBuilder().where('digest_date', '<', before).orderBy('digest_date').limit(limit);
  return deleteFound(db, 'digests', ['id'], old);
}

/** Of all users: that an item is done is of no use without the digest it stood in. @returns how many */
export async function deleteTicksOfAllUsers(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const old = db.queryBuilder().where('done_at', '<', before).limit(limit);
  return deleteFound(db, 'action_ticks', ['dialog_id', 'item_id'], old);
}
