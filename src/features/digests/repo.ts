import type { Knex } from 'knex';
import type { StructuredDigest } from '../../clients/summarizer/types.ts';
import type { Db } from '../../lib/db.ts';
import { MOVES, type Move } from './rules.ts';
import { type Coverage, coverageRow, type Digest, type DigestStatus, digestRow } from './schema.ts';

const DAY = `to_char(digests.digest_date, 'YYYY-MM-DD') as digest_date`;
const NEWEST = `digests.digest_date desc, (digests.summary = ''), digests.last_message_at desc nulls last, digests.id`;

function selectDigests(db: Db, userId: string): Knex.QueryBuilder {
  return db('digests')
    .join('dialogs', 'dialogs.id', 'digests.dialog_id')
    .where('digests.user_id', userId)
    .orderByRaw(NEWEST)
    .select(
      'digests.id',
      'digests.dialog_id',
      db.raw(DAY),
      'digests.message_count',
      'digests.status',
      'digests.summary',
      'digests.structured',
      'digests.engine',
      'digests.reason',
      'digests.last_message_at',
      'digests.covered_by',
      'dialogs.peer_name',
      'dialogs.peer_username',
      'dialogs.peer_phone',
      'dialogs.peer_type',
    );
}

/** By day, rows with a summary first, then by the last message: newest first. */
export async function listNewestDigests(
  db: Db,
  { userId, limit }: { userId: string; limit: number },
): Promise<Digest[]> {
  const rows: unknown[] = await selectDigests(db, userId).limit(limit);
  return rows.map(row => digestRow.parse(row));
}

/** @param date YYYY-MM-DD */
export async function listDigestsOfDay(db: Db, { userId, date }: { userId: string; date: string }): Promise<Digest[]> {
  const rows: unknown[] = await selectDigests(db, userId).where('digests.digest_date', date);
  return rows.map(row => digestRow.parse(row));
}

/** The days that have digests, newest first, with how many and how many of them urgent. */
export async function listDigestDays(
  db: Db,
  { userId, limit }: { userId: string; limit: number },
): Promise<{ date: string; total: number; urgent: number }[]> {
  const rows = await db('digests')
    .where({ user_id: userId })
    .groupBy('digest_date')
    .orderBy('digest_date', 'desc')
    .limit(limit)
    .select<{ digest_date: string; total: string; urgent: string }[]>(
      db.raw(DAY),
      db.raw(`count(*) filter (where status <> 'SKIPPED') as total`),
      db.raw(`count(*) filter (where structured ->> 'urgency' = 'high') as urgent`),
    );
  return rows.map(row => ({ date: row.digest_date, total: Number(row.total), urgent: Number(row.urgent) }));
}

/** For every conversation of an account its newest digest's coverage. */
export async function listNewestCoverage(
  db: Db,
  { userId, accountId }: { userId: string; accountId: string },
): Promise<Coverage[]> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `
    select newest.* from dialogs cross join lateral (
      select id, dialog_id, ${DAY}, status, after_message_id, last_message_id, message_count, reason
      from digests where digests.dialog_id = dialogs.id and digests.user_id = dialogs.user_id
      order by digests.digest_date desc limit 1
    ) as newest
    where dialogs.user_id = ? and dialogs.account_id = ?
    `,
    [userId, accountId],
  );
  return rows.map(row => coverageRow.parse(row));
}

export type PlannedDigest = {
  dialogId: string;
  afterMessageId: number;
  lastMessageId: number;
  lastMessageAt: Date | null;
};

/**
 * Makes the day's rows of these conversations, or takes them up again, in one statement. Returns the digest's id by
 * conversation. What an earlier row of the day said stays until it is rewritten.
 */
export async function queueDigests(
  db: Db,
  day: { userId: string; jobId: string; digestDate: string; now: Date },
  planned: PlannedDigest[],
): Promise<Map<string, string>> {
  if (planned.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: { id: string; dialog_id: string }[] }>(
    `
    insert into digests (user_id, job_id, digest_date, status, dialog_id, after_message_id, last_message_id,
                         last_message_at, updated_at)
    select ?::uuid, ?, ?::date, 'PENDING', p.*, ?::timestamptz
    from jsonb_to_recordset(?::jsonb) as p (dialog_id uuid, after_message_id bigint, last_message_id bigint,
      last_message_at timestamptz)
    on conflict (dialog_id, digest_date) do update set
      job_id = excluded.job_id, status = excluded.status, after_message_id = excluded.after_message_id,
      last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at, reason = null,
      updated_at = excluded.updated_at
    where digests.user_id = excluded.user_id
    returning id, dialog_id
    `,
    [day.userId, day.jobId, day.digestDate, day.now, JSON.stringify(planned.map(toPlannedRow))],
  );
  return new Map(rows.map(row => [row.dialog_id, row.id]));
}

function toPlannedRow(planned: PlannedDigest) {
  return {
    dialog_id: planned.dialogId,
    after_message_id: planned.afterMessageId,
    last_message_id: planned.lastMessageId,
    last_message_at: planned.lastMessageAt,
  };
}

type Row = { userId: string; digestId: string; now: Date };

/** Makes a move if the row is in one of the states the move starts from; false otherwise. */
async function move(db: Db, name: Move, row: Row, changes: Record<string, unknown> = {}): Promise<boolean> {
  const { to, from } = MOVES[name];
  const moved = await db('digests')
    .where({ user_id: row.userId, id: row.digestId })
    .whereIn('status', from)
    .update({ ...changes, status: to, updated_at: row.now });
  return moved === 1;
}

export async function startSummary(
  db: Db,
  row: Row & { messageCount: number; afterMessageId: number },
): Promise<boolean> {
  return move(db, 'startSummary', row, { message_count: row.messageCount, after_message_id: row.afterMessageId });
}

export type WrittenDigest = {
  summary: string;
  structured: StructuredDigest;
  engine: string;
  style: string;
  lastMessageAt: Date | null;
};

export async function completeDigest(db: Db, row: Row, written: WrittenDigest): Promise<boolean> {
  return move(db, 'complete', row, {
    summary: written.summary,
    structured: JSON.stringify(written.structured),
    engine: written.engine,
    style: written.style,
    last_message_at: written.lastMessageAt,
    reason: null,
  });
}

export async function skipDigest(db: Db, row: Row & { reason: string; messageCount: number }): Promise<boolean> {
  return move(db, 'skip', row, { reason: row.reason, message_count: row.messageCount });
}

export async function failDigest(db: Db, row: Row & { reason: string }): Promise<boolean> {
  return move(db, 'fail', row, { reason: row.reason, tries: db.raw('tries + 1') });
}

/** What a job could not get to any more, because the connection was lost for good. A summary written before stays. */
export async function failUnfinished(
  db: Db,
  { userId, jobId, reason, now }: { userId: string; jobId: string; reason: string; now: Date },
): Promise<void> {
  await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereIn('status', MOVES.fail.from)
    .update({ status: MOVES.fail.to, reason, updated_at: now });
}

/** Earlier rows whose messages a complete digest covers as well are closed by it. */
export async function closeCovered(
  db: Db,
  {
    userId,
    dialogId,
    digestId,
    lastMessageId,
  }: { userId: string; dialogId: string; digestId: string; lastMessageId: number },
): Promise<void> {
  await db('digests')
    .where({ user_id: userId, dialog_id: dialogId })
    .whereIn('status', ['PENDING', 'SUMMARIZING', 'FAILED', 'SKIPPED'])
    .whereNot('id', digestId)
    .whereNull('covered_by')
    .where('last_message_id', '<=', lastMessageId)
    .update({ covered_by: digestId });
}

/** A row for a conversation that turned out to have nothing to read (only service messages, or all deleted). */
export async function deleteEmptyDigest(
  db: Db,
  { userId, digestId }: { userId: string; digestId: string },
): Promise<void> {
  await db('digests').where({ user_id: userId, id: digestId, summary: '', message_count: 0 }).delete();
}

/** What became of each conversation in one job so far: where a job taken from a dead worker goes on. */
export async function listJobOutcomes(
  db: Db,
  { userId, jobId }: { userId: string; jobId: string },
): Promise<{ dialogId: string; status: DigestStatus }[]> {
  const rows = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .whereNotIn('status', ['PENDING', 'SUMMARIZING'])
    .select<{ dialog_id: string; status: DigestStatus }[]>('dialog_id', 'status');
  return rows.map(row => ({ dialogId: row.dialog_id, status: row.status }));
}
