import { type Db, deleteFound } from '../../lib/db.ts';

/** Returns how many. */
export async function deleteSignInTokensBefore(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const old = db.queryBuilder().where('created_at', '<', before).limit(limit);
  return deleteFound(db, 'sign_in_tokens', ['token_hash'], old);
}

/** Returns how many. */
export async function deleteSessionsExpiredBefore(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const over = db.queryBuilder().where('expires_at', '<', before).limit(limit);
  return deleteFound(db, 'user_sessions', ['id'], over);
}
