import { z } from 'zod';
import type { Db, UserKey } from '../../../lib/db.ts';
import { joinSql, NO_SQL, rawSql, sql } from '../../../lib/sql.ts';
import { IS_WRITTEN } from '../../digests/fragments.ts';
import type { ExportedTable } from './schema.ts';

/** Locks the user row until the transaction ends: concurrent writers wait, then fail. */
export async function lockUser(trx: Db, { userId }: UserKey): Promise<void> {
  await trx('users').where({ id: userId }).forUpdate().select('id');
  await trx('messenger_accounts').where({ user_id: userId }).forUpdate().select('id');
  await trx('crm_connections').where({ user_id: userId }).forUpdate().select('user_id');
}

/** Whether a messenger or CRM connection is left, such as one made while the others were being ended. */
export async function hasConnections(trx: Db, { userId }: UserKey): Promise<boolean> {
  const messenger = await trx('messenger_accounts').where({ user_id: userId }).whereNotNull('credentials').first('id');
  const crm = await trx('crm_connections').where({ user_id: userId }).whereNotNull('credentials').first('user_id');
  return messenger !== undefined || crm !== undefined;
}

/** Deletes the user and, by cascade, all their data. False for an unknown user. */
export async function deleteUser(trx: Db, { userId }: UserKey): Promise<boolean> {
  return (await trx('users').where({ id: userId }).delete()) === 1;
}

/** Phones of the user's messenger accounts, including disconnected ones. */
export async function listPhones(db: Db, { userId }: UserKey): Promise<string[]> {
  const rows = await db('messenger_accounts').where({ user_id: userId }).whereNot({ phone: '' }).select('phone');
  return rows.map(row => row.phone);
}

/** The digests that are written, counted from an index alone. */
export async function countDigestsOfUser(db: Db, { userId }: UserKey): Promise<number> {
  const [row] = await sql`
    select count(*)::int as count from digests where user_id = ${userId} and ${IS_WRITTEN}
  `.rows<{ count: number }>(db);
  return row?.count ?? 0;
}

/* Rows that mention a user without belonging to one: queue jobs, rate limits, alerts. */

/** Jobs of the queue that name the user or their address, in any state. */
export async function deleteJobsOf(db: Db, { userId, email }: { userId: string; email: string }): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from pgboss.job where singleton_key = :userId or position(:userId in data::text) > 0
       or position(to_json(:email::text)::text in data::text) > 0`,
    { userId, email },
  );
  return rowCount;
}

/** Tries counted for the user, or under one of these keys. */
export async function deleteTriesOf(db: Db, { userId, keys }: { userId: string; keys: readonly string[] }) {
  return db('rate_limits')
    .whereRaw('position(? in key) > 0', [userId])
    .orWhereRaw('split_part(key, ?, 2) = any(?)', [':', [...keys]])
    .delete();
}

/** Deletes jobs of users who are gone. Active jobs are left to finish. */
export async function deleteJobsOfGoneUsers(db: Db): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from pgboss.job where state <> 'active' and data ->> 'userId' is not null
       and not exists (select 1 from users where users.id::text = data ->> 'userId')`,
  );
  return rowCount;
}

const NAMED_IN_ALERT = '(?:"user(?:Id)?":"|sync:)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';

/** Deleted users whose id is still in alerts, alone or as part of a sync's id. */
export async function listGoneUsersInAlerts(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { user_id: string }[] }>(
    `select distinct found.match[1] as user_id
     from alerts cross join regexp_matches(about::text, ?, 'g') as found(match)
     where not exists (select 1 from users where users.id::text = found.match[1])`,
    // Bound, as its question marks would be read as placeholders.
    [NAMED_IN_ALERT],
  );
  return rows.map(row => row.user_id);
}

const rows = z.array(z.object({ row: z.record(z.string(), z.unknown()) }));

/** The user's next rows of a table by key, moments and days as ISO 8601. @param after last row of the batch before */
export async function listRows(
  db: Db,
  { table, key, owner = 'user_id' }: ExportedTable,
  { userId, after, limit }: { userId: string; after: Record<string, unknown> | undefined; limit: number },
): Promise<Record<string, unknown>[]> {
  const columns = rawSql(key.join(', '));
  const position =
    after &&
    joinSql(
      key.map(column => sql`${String(after[column])}`),
      ', ',
    );
  const found = await sql`
    select row_to_json(t) as row from ${rawSql(table)} as t
    where ${rawSql(owner)} = ${userId} ${position ? sql`and (${columns}) > (${position})` : NO_SQL}
    order by ${columns} limit ${limit}
  `.rows(db);
  return rows.parse(found).map(({ row }) => row);
}
