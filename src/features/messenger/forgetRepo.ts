import { type Db, deleteFound } from '../../lib/db.ts';

/** Of all users: sign-ins at the messenger that were over before then. @returns how many */
export async function deleteLoginsBefore(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const old = db.queryBuilder().where('expires_at', '<', before).limit(limit);
  return deleteFound(db, 'messenger_logins', ['token_hash'], old);
}
