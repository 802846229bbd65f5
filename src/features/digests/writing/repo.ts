import { z } from 'zod';
import type { StructuredDigest, TokenUsage } from '../../../clients/summarizer/types.ts';
import { type Db, rowReader, toStorableJson, type UserKey } from '../../../lib/db.ts';
import type { Failure } from '../../../lib/failures.ts';
import { rawSql, type Sql, sql } from '../../../lib/sql.ts';
import { DIGEST_TRANSITIONS, type DigestTransition } from '../rules.ts';
import type { DigestSources } from '../schema.ts';

/* Every statement that changes the state of a digest, according to the table of moves in rules.ts. */

type PlannedDigest = { dialogId: string; afterMessageId: number; lastMessageId: number; lastMessageAt: Date | null };

/**
 * Creates the day's rows for these conversations, or takes them up again, in one statement. Returns the digest's id by
 * conversation. What an existing row of the day said stays until it is rewritten.
 */
export async function queueDigests(
  db: Db,
  day: { userId: string; jobId: string; digestDate: string; now: Date },
  planned: PlannedDigest[],
): Promise<Map<string, string>> {
  if (planned.length === 0) return new Map();
  const rows = await sql`
    insert into digests (user_id, job_id, digest_date, status, dialog_id, after_message_id, last_message_id,
                         last_message_at, updated_at)
    select ${day.userId}::uuid, ${day.jobId}, ${day.digestDate}::date, ${DIGEST_TRANSITIONS.queue.to}, p.*, ${day.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p ("dialogId" uuid, "afterMessageId" bigint,
      "lastMessageId" bigint, "lastMessageAt" timestamptz)
    on conflict (dialog_id, digest_date) do update set
      job_id = excluded.job_id, status = excluded.status, after_message_id = excluded.after_message_id,
      last_message_id = excluded.last_message_id,
      last_message_at = case when digests.summary = '' then excluded.last_message_at else digests.last_message_at end,
      reason = null, is_started = false, updated_at = excluded.updated_at
    where digests.user_id = excluded.user_id
    returning id, dialog_id
  `.rows<{ id: string; dialog_id: string }>(db);
  return new Map(rows.map(row => [row.dialog_id, row.id]));
}

type DigestChange = { userId: string; digestId: string; now: Date };

/** The user's digests in a state that this move starts from. */
function selectMovable(db: Db, name: DigestTransition, userId: string) {
  return db('digests').where({ user_id: userId }).whereIn('status', DIGEST_TRANSITIONS[name].from);
}

/** Makes a move if the row is in one of the states the move starts from; false otherwise. */
async function moveDigest(
  db: Db,
  name: DigestTransition,
  row: DigestChange,
  changes: Record<string, unknown> = {},
): Promise<boolean> {
  const moved = await selectMovable(db, name, row.userId)
    .where({ id: row.digestId })
    .update({ ...changes, status: DIGEST_TRANSITIONS[name].to, updated_at: row.now });
  return moved === 1;
}

/** Marks digests as started before their conversations are read, so that a crash can be traced to them. */
export async function markDigestsStarted(
  db: Db,
  { userId, digestIds }: { userId: string; digestIds: string[] },
): Promise<void> {
  await db('digests').where({ user_id: userId }).whereIn('id', digestIds).update({ is_started: true });
}

export async function startSummary(db: Db, row: DigestChange): Promise<boolean> {
  return moveDigest(db, 'startSummary', row);
}

export type WrittenDigest = {
  digestId: string;
  summary: string;
  structured: StructuredDigest;
  sources: DigestSources;
  engine: string;
  style: string;
  messageCount: number;
  afterMessageId: number;
  lastMessageId: number;
  firstMessageAt: Date;
  lastMessageAt: Date | null;
  /** Why it is an excerpt, where a model was to write it. */
  reason?: string;
  /** Shown until a model has written over it. */
  isExcerpt?: boolean;
  /** Written over a complete digest of the same messages. */
  coversSameMessages?: boolean;
} & Spent;

/** The cost of a try, whether it wrote a digest or not. It is added to the cost of the row's earlier tries. */
export type Spent = { usage?: TokenUsage | undefined; costUsd: number | null };

/**
 * Completes many digests in one statement. Returns the completed ids; a row planned anew meanwhile, for other messages, is
 * left alone.
 */
export async function completeDigests(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  written: WrittenDigest[],
): Promise<Set<string>> {
  const { complete, rewrite } = DIGEST_TRANSITIONS;
  const rows = await sql`
    update digests set
      status = ${complete.to}, summary = w.summary, structured = w.structured, sources = w.sources, engine = w.engine,
      style = w.style, message_count = w."messageCount", after_message_id = w."afterMessageId",
      first_message_at = w."firstMessageAt", last_message_at = w."lastMessageAt",
      prompt_tokens = ${sumIgnoringNulls('prompt_tokens', sql`(w.usage ->> 'promptTokens')::integer`)},
      completion_tokens = ${sumIgnoringNulls('completion_tokens', sql`(w.usage ->> 'completionTokens')::integer`)},
      cost_usd = ${sumIgnoringNulls('cost_usd', sql`w."costUsd"`)},
      reason = w.reason, is_excerpt = coalesce(w."isExcerpt", false), is_started = false, crashes = 0, updated_at = ${now}
    from jsonb_to_recordset(${toStorableJson(written)}::jsonb) as w ("digestId" uuid, summary text, structured jsonb,
      sources jsonb, engine text, style text, "messageCount" integer, "afterMessageId" bigint, "lastMessageId" bigint,
      "firstMessageAt" timestamptz, "lastMessageAt" timestamptz, usage jsonb, "costUsd" numeric, reason text,
      "isExcerpt" boolean, "coversSameMessages" boolean)
    where digests.user_id = ${userId} and digests.id = w."digestId" and digests.last_message_id = w."lastMessageId"
      and digests.status = any(case when w."coversSameMessages" then ${rewrite.from}::text[] else ${complete.from}::text[] end)
      and (w."coversSameMessages" is not true or digests.after_message_id = w."afterMessageId")
    returning digests.id
  `.rows<{ id: string }>(db);
  return new Set(rows.map(row => row.id));
}

/** Adds `more` to a column. Null counts as nothing, unless both are null. */
function sumIgnoringNulls(name: string, more: Sql): Sql {
  const column = rawSql(`digests.${name}`);
  return sql`coalesce(${column} + ${more}, ${more}, ${column})`;
}

/** Skips a digest whose conversation was read, and ends the work on it. */
export async function skipStartedDigest(
  db: Db,
  row: DigestChange & { reason: string; messageCount: number },
): Promise<boolean> {
  return moveDigest(db, 'skip', row, { reason: row.reason, message_count: row.messageCount, is_started: false });
}

/** @param row.messageCount how many messages wait, if they were counted; an earlier summary keeps its own number */
export async function failDigest(db: Db, row: DigestChange & Spent & { reason: string; messageCount: number | undefined }) {
  const messageCount = row.messageCount ?? sql`message_count`;
  return moveDigest(db, 'fail', row, {
    reason: row.reason,
    is_started: false,
    message_count: sql`case when summary = '' then ${messageCount} else message_count end`.toRaw(db),
    ...costAfter(db, row),
  });
}

/** Adds the cost of a failed try that the service charged anyway. */
export async function addSpent(db: Db, row: Omit<DigestChange, 'now'> & Spent): Promise<void> {
  await db('digests').where({ user_id: row.userId, id: row.digestId }).update(costAfter(db, row));
}

function costAfter(db: Db, { usage, costUsd }: Spent) {
  const sum = (column: string, more: number | null = null) => sumIgnoringNulls(column, sql`${more}::numeric`).toRaw(db);
  return {
    prompt_tokens: sum('prompt_tokens', usage?.promptTokens),
    completion_tokens: sum('completion_tokens', usage?.completionTokens),
    cost_usd: sum('cost_usd', costUsd),
  };
}

/** Those of the digests that the user has not deleted meanwhile. */
export async function listPresent(db: Db, { userId, digestIds }: { userId: string; digestIds: readonly string[] }) {
  const rows = await db('digests').where({ user_id: userId }).whereIn('id', digestIds).select('id');
  return new Set(rows.map(({ id }) => String(id)));
}

type Ended = { reason: string; now: Date };

/** Skips digests that were queued and not started, as they are over what the user's plan includes. */
export async function skipQueuedDigests(
  db: Db,
  { userId, digestIds, reason, now }: UserKey & Ended & { digestIds: string[] },
) {
  const skipped = { status: DIGEST_TRANSITIONS.skip.to, reason, updated_at: now };
  await selectMovable(db, 'skip', userId).whereIn('id', digestIds).update(skipped);
}

/** Fails the digests that a job could not write because the connection was lost. An earlier summary stays. */
export async function failUnfinished(db: Db, { userId, jobId, reason, now }: OfJob & Ended): Promise<void> {
  await selectMovable(db, 'fail', userId)
    .where({ job_id: jobId })
    .update({ status: DIGEST_TRANSITIONS.fail.to, reason, is_started: false, updated_at: now });
}

type OfJob = { userId: string; jobId: string };

/**
 * For a job taken from a dead worker: adds a crash to each row that was being worked on, and puts it aside as FAILED at
 * `limit` crashes, so that the others get through; an excerpt stays one. Returns the conversations put aside.
 */
export async function countCrashes(
  db: Db,
  { userId, jobId }: OfJob,
  limit: number,
): Promise<{ dialogId: string; outcome: 'failed' | 'digested' }[]> {
  const rows = await db('digests')
    .where({ user_id: userId, job_id: jobId, is_started: true })
    .update({ is_started: false, crashes: db.raw('crashes + 1') })
    .returning<{ id: string; dialog_id: string; crashes: number; status: string }[]>([
      'id',
      'dialog_id',
      'crashes',
      'status',
    ]);
  const putAside = rows.filter(row => row.crashes >= limit);
  const digestIds = putAside.map(({ id }) => id);
  const reason: Failure = 'CRASHED';
  const excerpts = selectMovable(db, 'rewrite', userId).whereIn('id', digestIds);
  await excerpts.update({ is_excerpt: false, reason });
  await selectMovable(db, 'fail', userId).whereIn('id', digestIds).update({ status: DIGEST_TRANSITIONS.fail.to, reason });
  return putAside.map(({ dialog_id: dialogId, status }) => ({
    dialogId,
    outcome: status === DIGEST_TRANSITIONS.rewrite.from[0] ? 'digested' : 'failed',
  }));
}

const excerpt = z.object({
  digestId: z.string(),
  dialogId: z.string(),
  /** YYYY-MM-DD */
  digestDate: z.string(),
  afterMessageId: z.coerce.number(),
  lastMessageId: z.coerce.number(),
  crashes: z.number(),
});
const excerptRow = rowReader(excerpt);

/**
 * Gives this job the excerpts of an account that a model is still to write over, whichever job wrote them. Returns them,
 * urgent ones first, of equal urgency the newest.
 */
export async function claimExcerpts(db: Db, { userId, jobId, accountId }: OfJob & { accountId: string }) {
  return sql`
    with taken as (
      update digests set job_id = ${jobId}, is_started = false from dialogs
      where digests.user_id = ${userId} and digests.is_excerpt and digests.status = ${DIGEST_TRANSITIONS.rewrite.from[0]}
        and dialogs.id = digests.dialog_id and dialogs.account_id = ${accountId}
      returning digests.*
    )
    select id as digest_id, dialog_id, to_char(digest_date, 'YYYY-MM-DD') as digest_date, after_message_id, last_message_id,
      crashes
    from taken order by array_position(array['high', 'medium'], structured ->> 'urgency'), last_message_at desc nulls last
  `.read(db, excerptRow);
}

/** Makes these excerpts final, as no model can write over them any more. */
export async function finalizeExcerpts(db: Db, { userId, digestIds }: { userId: string; digestIds: readonly string[] }) {
  await db('digests').where({ user_id: userId }).whereIn('id', digestIds).update({ is_excerpt: false, is_started: false });
}

/** Clears the marks of started work when a worker shuts down, so that it doesn't count as a crash. */
export async function releaseWork(db: Db, { userId, jobId }: OfJob): Promise<void> {
  await db('digests').where({ user_id: userId, job_id: jobId, is_started: true }).update({ is_started: false });
}

type Covers = { userId: string; dialogId: string; digestId: string; lastMessageId: number; now: Date };

/**
 * Ends the conversation's unfinished earlier rows, before its cursor moves: one that was written before gets its previous
 * text back, the others are marked as covered by this complete digest.
 */
export async function closeCovered(db: Db, { userId, dialogId, digestId, lastMessageId, now }: Covers): Promise<void> {
  const earlier = db('digests')
    .where({ user_id: userId, dialog_id: dialogId })
    .whereNot({ status: DIGEST_TRANSITIONS.complete.to })
    .whereNot({ id: digestId })
    .whereNull('covered_by')
    .where(row =>
      row
        .where('last_message_id', '<=', lastMessageId)
        .orWhere('digest_date', '<', db('digests').where({ user_id: userId, id: digestId }).select('digest_date')),
    );
  const { from } = DIGEST_TRANSITIONS.settle;
  await earlier.clone().whereIn('status', from).whereNot({ summary: '' }).update(asWrittenBefore(db, now));
  await earlier.update({ covered_by: digestId });
}

/**
 * Settles open rows of conversations that have nothing left to read (deleted, only service messages, switched off): a
 * row that was written before that gets its previous text back, the others are deleted.
 */
export async function closeOpenRows(db: Db, { userId, dialogIds, now }: UserKey & { dialogIds: string[]; now: Date }) {
  if (dialogIds.length === 0) return;
  const open = () => selectMovable(db, 'settle', userId).whereIn('dialog_id', dialogIds).whereNull('covered_by');
  await open().where({ summary: '' }).delete();
  await open().update(asWrittenBefore(db, now));
}

/** A row's state before it was taken up again: its text is of the messages up to the cursor. */
function asWrittenBefore(db: Db, now: Date) {
  const cursor = '(select cursor_message_id from dialogs where dialogs.id = digests.dialog_id)';
  return {
    status: DIGEST_TRANSITIONS.settle.to,
    last_message_id: db.raw(`coalesce(${cursor}, last_message_id)`),
    reason: null,
    is_started: false,
    crashes: 0,
    updated_at: now,
  };
}

/** Number of a sync's conversations that wait for a model. */
export async function countAwaitedByModel(db: Db, { userId, jobId }: OfJob): Promise<number> {
  const [row] = await db('digests')
    .where({ user_id: userId, job_id: jobId })
    .where(open => open.whereIn('status', ['PENDING', 'SUMMARIZING']).orWhere({ is_excerpt: true }))
    .select(db.raw(`count(*)::int as count, coalesce(bool_or(is_excerpt or status = 'SUMMARIZING'), false) as by_model`));
  return row.by_model ? row.count : 0;
}

/** Stores the order of a day's greatest news, in place of an earlier one. @param digestIds the greatest first */
export async function storeNewsRanks(
  db: Db,
  { userId, date, digestIds }: { userId: string; date: string; digestIds: string[] },
): Promise<void> {
  await sql`
    update digests set news_rank = array_position(${digestIds}::uuid[], id)
    where user_id = ${userId} and digest_date = ${date} and (id = any(${digestIds}::uuid[]) or news_rank is not null)
  `.rows(db);
}
