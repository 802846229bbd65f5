import { z } from 'zod';
import type { StructuredDigest } from '../../clients/summarizer/types.ts';
import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import {
  DIGEST_STATUSES,
  type DigestReason,
  type DigestSources,
  type DigestStatus,
  NOTE_REFUSED,
  structuredDigest,
} from '../digests/schema.ts';
import type { Spent } from '../writing/repo.ts';

/** What a written digest says is replaced, once there is something better: its state stays where it is. */

type Owned = { userId: string; digestId: string };

export type WrittenRow = {
  dialogId: string;
  /** YYYY-MM-DD */
  digestDate: string;
  status: DigestStatus;
  reason: DigestReason | null;
  summary: string;
  structured: StructuredDigest | null;
  isCovered: boolean;
  afterMessageId: number;
  lastMessageId: number;
};

const writtenRow = z
  .object({
    dialog_id: z.string(),
    day: z.string(),
    status: z.enum(DIGEST_STATUSES),
    reason: z.string().nullable(),
    summary: z.string(),
    structured: structuredDigest.nullable(),
    covered_by: z.string().nullable(),
    after_message_id: z.coerce.number(),
    last_message_id: z.coerce.number(),
  })
  .transform(
    (row): WrittenRow => ({
      dialogId: row.dialog_id,
      digestDate: row.day,
      status: row.status,
      reason: row.reason,
      summary: row.summary,
      structured: row.structured,
      isCovered: row.covered_by !== null,
      afterMessageId: row.after_message_id,
      lastMessageId: row.last_message_id,
    }),
  );

/** Throws NotFound for an unknown digest and for somebody else's. */
export async function getWrittenRow(db: Db, { userId, digestId }: Owned): Promise<WrittenRow> {
  const day = db.raw(`to_char(digest_date, 'YYYY-MM-DD') as day`);
  const found = db('digests').where({ user_id: userId, id: digestId });
  const row = isUuid(digestId) ? await found.first('*', day) : undefined;
  if (!row) throw new NotFound('digest');
  return writtenRow.parse(row);
}

export type Rewritten = Owned &
  Spent & {
    /** The range that was read: another one by now means that a sync has taken the row up. */
    afterMessageId: number;
    lastMessageId: number;
    summary: string;
    structured: StructuredDigest;
    sources: DigestSources;
    firstMessageAt: Date;
    engine: string;
    style: string;
    messageCount: number;
    now: Date;
  };

/** False when the row is not what was read any more; it is left alone then. */
export async function rewriteDigest(db: Db, written: Rewritten): Promise<boolean> {
  const { userId, digestId, afterMessageId, lastMessageId, usage } = written;
  const changed = await db('digests')
    .where({ user_id: userId, id: digestId, after_message_id: afterMessageId, last_message_id: lastMessageId })
    .whereNot({ summary: '' })
    .whereNull('covered_by')
    .where(ready =>
      ready.whereIn('status', ['COMPLETE', 'SYNCING']).orWhere({ status: 'FAILED', reason: NOTE_REFUSED }),
    )
    .update({
      summary: written.summary,
      structured: JSON.stringify(written.structured),
      sources: JSON.stringify(written.sources),
      first_message_at: written.firstMessageAt,
      engine: written.engine,
      style: written.style,
      message_count: written.messageCount,
      ...spentColumns(db, { usage, costUsd: written.costUsd }),
      updated_at: written.now,
    });
  return changed === 1;
}

/** For a try that came to nothing although the service counted it. */
export async function addSpent(db: Db, { userId, digestId, ...spent }: Owned & Spent): Promise<void> {
  await db('digests').where({ user_id: userId, id: digestId }).update(spentColumns(db, spent));
}

function spentColumns(db: Db, { usage, costUsd }: Spent) {
  const added = (column: string, more: number | null | undefined) =>
    db.raw(`coalesce(${column} + :more::numeric, :more::numeric, ${column})`, { more: more ?? null });
  return {
    prompt_tokens: added('prompt_tokens', usage?.promptTokens),
    completion_tokens: added('completion_tokens', usage?.completionTokens),
    cost_usd: added('cost_usd', costUsd),
  };
}
