import type { Db } from '../../../lib/db.ts';
import { sql } from '../../../lib/sql.ts';
import { SHOWN_COLUMNS, SHOWN_JOINS, toShown } from '../../digests/fragments.ts';
import type { ShownDigest } from '../../digests/schema.ts';

type OfDay = {
  userId: string;
  /** The user's present day, YYYY-MM-DD. */
  today: string;
  /** Only in these conversations. */
  among: readonly string[];
  limit: number;
};

/** Whether the promise is the user's and of a conversation that may be read. */
export async function isReadable(
  db: Db,
  { userId, promiseId, among }: { userId: string; promiseId: string; among: readonly string[] },
): Promise<boolean> {
  const row = await db('promises').where({ user_id: userId, id: promiseId }).whereIn('dialog_id', among).first('id');
  return row !== undefined;
}

/** The present day's digests, newest first. What takes a function call for each is asked of those that are returned alone. */
export async function listReadableDigests(db: Db, { userId, today, among, limit }: OfDay): Promise<ShownDigest[]> {
  const order = sql`digests.last_message_at desc nulls last, digests.id`;
  const rows = await sql`
    with newest as materialized (
      select digests.id from digests
      where user_id = ${userId} and digest_date = ${today}::date and summary <> '' and dialog_id = any(${among}::uuid[])
      order by ${order} limit ${limit}
    )
    select ${SHOWN_COLUMNS} from digests ${SHOWN_JOINS}
    where digests.user_id = ${userId} and digests.id in (select id from newest) order by ${order}
  `.rows(db);
  return rows.map(toShown);
}
