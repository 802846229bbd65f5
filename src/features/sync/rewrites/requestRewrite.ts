import { randomUUID } from 'node:crypto';
import { fromKnex } from 'pg-boss';
import type { SummaryStyle } from '../../../clients/summarizer/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { Conflict } from '../../../lib/errors.ts';
import type { Queue } from '../../../lib/queue.ts';
import type { WrittenRow } from './repo.ts';
import * as repo from './repo.ts';
import { REGENERATE_QUEUE, type RegeneratePayload } from './schema.ts';

type Owned = { userId: string; digestId: string };

/**
 * Requests a rewrite of a digest in this style, from the messages it rests on. If requested twice, it happens once.
 * Throws NotFound, Conflict `NOT_REWRITABLE` with a sentence for a digest that can't be rewritten, and TooManyRequests:
 * each rewrite may cost money at the AI service.
 */
export async function requestRewrite(
  deps: { db: Db; queue: Queue; clock: Clock; limitRewrite(userId: string): Promise<void> },
  { userId, digestId, style }: Owned & { style: SummaryStyle },
): Promise<{ dialogId: string }> {
  const row = await repo.getWrittenRow(deps.db, { userId, digestId });
  const refusal = refusalOf(row);
  if (refusal) throw new Conflict('NOT_REWRITABLE', refusal);
  await deps.limitRewrite(userId);
  await deps.db.transaction(async trx => {
    const payload: RegeneratePayload = { userId, digestId, requestId: randomUUID() };
    if (!(await repo.openRewrite(trx, { ...payload, style, now: deps.clock.now() }))) return;
    await deps.queue.send(REGENERATE_QUEUE.name, payload, { db: fromKnex(trx) });
  });
  return { dialogId: row.dialogId };
}

type Judged = Pick<WrittenRow, 'isCovered' | 'summary' | 'writing'>;

/** Why this digest can't be written again; undefined when it can. */
export function refusalOf({ isCovered, summary, writing }: Judged): string | undefined {
  if (isCovered) return 'A later digest has these messages. Rewrite that one instead.';
  if (summary === '') return 'There is no digest of this day yet.';
  if (writing === 'FAILED') return 'The last attempt failed. The next sync will pick this digest up.';
  return writing === 'COMPLETE' ? undefined : 'A sync is rewriting this digest. Try again when it is done.';
}
