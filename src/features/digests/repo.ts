import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { type Coverage, coverageRow, type Digest, type DigestStatus, digestRow, NOTE_REFUSED } from './schema.ts';

type Rows = { rows: unknown[] };
const NOTHING: Rows = { rows: [] };

const DAY = `to_char(digests.digest_date, 'YYYY-MM-DD') as digest_date`;
const NEWEST = `digests.digest_date desc, (digests.summary = ''), digests.last_message_at desc nulls last, digests.id`;

/** Written out: building it anew for each request takes its time. */
export const SELECT = `
  select digests.id, digests.dialog_id, ${DAY}, digests.message_count, digests.status, digests.summary,
    digests.structured, digests.engine, digests.style, digests.reason, digests.last_message_at, digests.covered_by,
    dialogs.peer_name, dialogs.peer_username, dialogs.peer_phone, dialogs.peer_type
  from digests join dialogs on dialogs.id = digests.dialog_id
  where digests.user_id = ?`;

/** A summary stands to be read, if only that of an earlier try of the day. */
export const IS_WRITTEN = `digests.summary <> '' and digests.status <> 'SKIPPED'
  and (digests.status <> 'FAILED' or digests.reason = '${NOTE_REFUSED}')`;

/**
 * By day, rows with a summary first, then by the last message: newest first.
 * Asked so often that each connection prepares it once, under its name.
 */
export async function listNewestDigests(
  db: Db,
  { userId, limit }: { userId: string; limit: number },
): Promise<Digest[]> {
  const statement = `${SELECT} order by ${NEWEST} limit ?`;
  const { rows } = await db.raw<Rows>(statement, [userId, limit]).options({ name: 'newest digests' });
  return rows.map(row => digestRow.parse(row));
}

/** @param date YYYY-MM-DD */
export async function listDigestsOfDay(db: Db, { userId, date }: { userId: string; date: string }): Promise<Digest[]> {
  const { rows } = await db.raw<Rows>(`${SELECT} and digests.digest_date = ? order by ${NEWEST}`, [userId, date]);
  return rows.map(row => digestRow.parse(row));
}

/** Of the written digests of a day the urgent and then the newest ones. @param date YYYY-MM-DD */
export async function listTopDigests(
  db: Db,
  { userId, date, limit }: { userId: string; date: string; limit: number },
): Promise<Digest[]> {
  const { rows } = await db.raw<Rows>(
    `${SELECT} and digests.digest_date = ? and ${IS_WRITTEN}
     order by digests.is_urgent desc, digests.last_message_at desc nulls last, digests.id limit ?`,
    [userId, date, limit],
  );
  return rows.map(row => digestRow.parse(row));
}

/** The newest digest of one conversation that has a summary. */
export async function findNewestSummary(
  db: Db,
  { userId, dialogId }: { userId: string; dialogId: string },
): Promise<Digest | undefined> {
  const only = `and digests.dialog_id = ? and digests.summary <> '' order by digests.digest_date desc limit 1`;
  const { rows } = await db.raw<Rows>(`${SELECT} ${only}`, [userId, dialogId]);
  return rows.map(row => digestRow.parse(row))[0];
}

/** Throws NotFound for an unknown digest and for somebody else's. */
export async function getDigest(db: Db, { userId, digestId }: { userId: string; digestId: string }): Promise<Digest> {
  const { rows } = isUuid(digestId) ? await db.raw<Rows>(`${SELECT} and digests.id = ?`, [userId, digestId]) : NOTHING;
  const [row] = rows;
  if (!row) throw new NotFound('digest');
  return digestRow.parse(row);
}

/** YYYY-MM-DD. Throws NotFound for an unknown digest and for somebody else's. */
export async function getDigestDay(
  db: Db,
  { userId, digestId }: { userId: string; digestId: string },
): Promise<string> {
  const row = isUuid(digestId)
    ? await db('digests').where({ user_id: userId, id: digestId }).first<{ digest_date: string }>(db.raw(DAY))
    : undefined;
  if (!row) throw new NotFound('digest');
  return row.digest_date;
}

export type DigestDay = { /** YYYY-MM-DD */ date: string; total: number; urgent: number; messages: number };

/**
 * The days with digests from `since` up to `until`, newest first, with how many are written, how many of them urgent, of
 * how many messages. @param since YYYY-MM-DD, as `until`
 */
export async function listDigestDays(
  db: Db,
  { userId, since, until }: { userId: string; since: string; until: string },
): Promise<DigestDay[]> {
  const { rows } = await db.raw<{ rows: DigestDay[] }>(
    `
    select to_char(digest_date, 'YYYY-MM-DD') as date, count(*)::int as total,
      count(*) filter (where is_urgent)::int as urgent, sum(message_count)::int as messages
    from digests where user_id = ? and digest_date between ? and ? and ${IS_WRITTEN}
    group by digest_date order by digest_date desc
    `,
    [userId, since, until],
  );
  return rows;
}

/** Whether the user has a digest, of whatever state. @param before YYYY-MM-DD, asks for those of days before it only */
export async function hasDigests(db: Db, { userId, before }: { userId: string; before?: string }): Promise<boolean> {
  const all = db('digests').where({ user_id: userId });
  const row = await (before ? all.where('digest_date', '<', before) : all).first('id');
  return row !== undefined;
}

/** For every conversation of an account its newest digest's coverage. */
export async function listNewestCoverage(
  db: Db,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<Coverage[]> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select newest.* from dialogs cross join lateral (
      select id, dialog_id, job_id, ${DAY}, status, after_message_id, last_message_id, message_count, reason, crashes,
        summary <> '' as has_summary
      from digests where digests.dialog_id = dialogs.id and digests.user_id = dialogs.user_id
      order by digests.digest_date desc limit 1
    ) as newest
    where dialogs.user_id = ? and dialogs.account_id = ?
    `,
    [userId, accountId],
  );
  return rows.map(row => coverageRow.parse(row));
}

/** How many conversations the user has a digest of on this day: what a plan counts. */
export async function countDigestsOfDay(db: Db, { userId, date }: { userId: string; date: string }): Promise<number> {
  const [row] = await db('digests')
    .where({ user_id: userId, digest_date: date })
    .whereNot('summary', '')
    .count<{ count: string }[]>();
  return Number(row?.count ?? 0);
}

/** What became of each conversation in one job so far: where a job taken from a dead worker goes on. */
export async function listJobOutcomes(
  db: Db,
  { userId, jobId }: { userId: string; jobId: string },
): Promise<{ dialogId: string; status: DigestStatus; reason: string | null }[]> {
  const rows = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereNotIn('status', ['PENDING', 'SUMMARIZING'])
    .select<{ dialog_id: string; status: DigestStatus; reason: string | null }[]>('dialog_id', 'status', 'reason');
  return rows.map(row => ({ dialogId: row.dialog_id, status: row.status, reason: row.reason }));
}
