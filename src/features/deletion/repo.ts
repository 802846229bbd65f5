import type { Db } from '../../lib/db.ts';
import { IS_WRITTEN } from '../digests/repo.ts';

/** Nothing of the user's can come in from now on: whoever tries waits, and finds them gone. Until the transaction ends. */
export async function lockUser(trx: Db, { userId }: { userId: string }): Promise<void> {
  await trx('users').where({ id: userId }).forUpdate().select('id');
  await trx('messenger_accounts').where({ user_id: userId }).forUpdate().select('id');
  await trx('crm_connections').where({ user_id: userId }).forUpdate().select('user_id');
}

/** Accounts that still, or again, have a session: somebody signed in while we were ending them. */
export async function hasConnections(trx: Db, { userId }: { userId: string }): Promise<boolean> {
  const messenger = await trx('messenger_accounts').where({ user_id: userId }).whereNotNull('credentials').first('id');
  const crm = await trx('crm_connections').where({ user_id: userId }).whereNotNull('credentials').first('user_id');
  return messenger !== undefined || crm !== undefined;
}

/** With everything that belongs to the user: each such table says so itself. False when there is no such user. */
export async function deleteUser(trx: Db, { userId }: { userId: string }): Promise<boolean> {
  return (await trx('users').where({ id: userId }).delete()) === 1;
}

/** Phones of the user's messenger accounts, also of those that were disconnected. */
export async function listPhones(db: Db, { userId }: { userId: string }): Promise<string[]> {
  const rows = await db('messenger_accounts').where({ user_id: userId }).whereNot({ phone: '' }).select('phone');
  return rows.map(row => row.phone);
}

/** Those that say something, counted from an index alone. */
export async function countDigestsOfUser(db: Db, { userId }: { userId: string }): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::int as count from digests where user_id = ? and ${IS_WRITTEN}`,
    [userId],
  );
  return rows[0]?.count ?? 0;
}
