import { z } from 'zod';
import { SUMMARY_STYLES, type SummaryStyle } from '../../../clients/summarizer/types.ts';
import { type Db, isUuid, rowReader } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import { sql } from '../../../lib/sql.ts';
import { WRITING_STATES } from '../../digests/schema.ts';
import type { DialogKey } from '../../messenger/dialogs/schema.ts';
import { REWRITE_LOST, REWRITE_STATES, type Rewrite } from './schema.ts';

type OwnedDigest = { userId: string; digestId: string };
/** A request for another style and its single job. */
type RewriteRequest = OwnedDigest & { requestId: string };
type Now = { now: Date };

/** A rewrite that was not updated for this long counts as lost. While it waits, each retry updates it. */
const LOST_AFTER_MS = 15 * 60_000;

const rewriteRow = rowReader(
  z.object({
    digestId: z.string(),
    style: z.enum(SUMMARY_STYLES),
    state: z.enum(REWRITE_STATES),
    reason: z.string().nullable(),
    starts: z.number(),
    touchedAt: z.date(),
  }),
);

function selectRewrite(db: Db, { userId, digestId, requestId }: RewriteRequest) {
  return db('digest_rewrites').where({ user_id: userId, digest_id: digestId, request_id: requestId });
}

/** Stores a request for a rewrite. False if one is already under way; if that one still waits, it takes the newer style. */
export async function openRewrite(
  db: Db,
  { userId, digestId, requestId, style, now }: RewriteRequest & Now & { style: SummaryStyle },
): Promise<boolean> {
  const opened = await sql`
    insert into digest_rewrites as r (user_id, digest_id, request_id, style, state, touched_at)
    values (${userId}, ${digestId}, ${requestId}, ${style}, 'waiting', ${now})
    on conflict (digest_id) do update set request_id = excluded.request_id, style = excluded.style, state = 'waiting',
      reason = null, starts = 0, touched_at = excluded.touched_at
    where r.user_id = excluded.user_id and (r.state = 'failed' or r.touched_at < ${new Date(now.getTime() - LOST_AFTER_MS)})
    returning r.digest_id
  `.rows(db);
  if (opened.length === 1) return true;
  await db('digest_rewrites').where({ user_id: userId, digest_id: digestId, state: 'waiting' }).update({ style });
  return false;
}

/** Claims the rewrite. Undefined if it is no longer wanted, or another request has replaced it. */
export async function startRewrite(
  db: Db,
  { now, ...request }: RewriteRequest & Now,
): Promise<(Rewrite & { starts: number }) | undefined> {
  const [row] = await selectRewrite(db, request)
    .whereNot({ state: 'failed' })
    .update({ state: 'active', starts: db.raw('starts + 1'), touched_at: now })
    .returning('*');
  return row && rewriteRow.parse(row);
}

/** Postpones a rewrite that began too early, so that it does not count as a try. */
export async function postponeRewrite(db: Db, { now, ...request }: RewriteRequest & Now): Promise<void> {
  await selectRewrite(db, request)
    .where({ state: 'active' })
    .update({ state: 'waiting', starts: db.raw('greatest(0, starts - 1)'), touched_at: now });
}

/** False when another worker was quicker. */
export async function finishRewrite(db: Db, request: RewriteRequest): Promise<boolean> {
  return (await selectRewrite(db, request).where({ state: 'active' }).delete()) === 1;
}

export async function failRewrite(db: Db, { now, reason, ...request }: RewriteRequest & Now & { reason: string }) {
  await selectRewrite(db, request)
    .whereIn('state', ['waiting', 'active'])
    .update({ state: 'failed', reason, touched_at: now });
}

/** The rewrites of this conversation's digests that are under way or failed, by digest. */
export async function listRewrites(db: Db, { userId, dialogId, now }: Now & DialogKey) {
  const rows = await db('digest_rewrites')
    .join('digests', 'digests.id', 'digest_rewrites.digest_id')
    .where({ 'digest_rewrites.user_id': userId, 'digests.dialog_id': dialogId })
    .select('digest_rewrites.*');
  const all = rows.map(row => rewriteRow.parse(row));
  const isLost = ({ state, touchedAt }: (typeof all)[number]) =>
    state !== 'failed' && now.getTime() - touchedAt.getTime() > LOST_AFTER_MS;
  return new Map(
    all.map(row => [row.digestId, isLost(row) ? { ...row, state: 'failed' as const, reason: REWRITE_LOST } : row]),
  );
}

const written = z.object({
  dialogId: z.string(),
  /** YYYY-MM-DD */
  digestDate: z.string(),
  writingState: z.enum(WRITING_STATES),
  summary: z.string(),
  afterMessageId: z.coerce.number(),
  lastMessageId: z.coerce.number(),
});
const writtenRow = rowReader(written, { day: 'digestDate', status: 'writingState' });
export type WrittenRow = z.output<typeof written>;

/** Throws NotFound for an unknown digest and for another user's. */
export async function getWrittenRow(db: Db, { userId, digestId }: OwnedDigest): Promise<WrittenRow> {
  const day = db.raw(`to_char(digest_date, 'YYYY-MM-DD') as day`);
  const query = db('digests').where({ user_id: userId, id: digestId });
  const row = isUuid(digestId) ? await query.first('*', day) : undefined;
  if (!row) throw new NotFound('digest');
  return writtenRow.parse(row);
}
