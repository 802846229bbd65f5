import { fromKnex } from 'pg-boss';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Queue } from '../../../lib/queue.ts';
import { getMailMode } from '../../base/mailing/service.ts';
import * as repo from '../repo.ts';
import { DIGEST_MAIL_QUEUE, type DigestMailPayload, type SyncKind } from '../schema.ts';
import { dailyJobId } from '../service.ts';

type Ended = { userId: string; jobId: string; kind: SyncKind; day: string };

/** Called in the transaction that ends a day's sync: its digests may go out by mail, if the job finds it worth one. */
export async function askForDigestMail(
  { queue, clock }: { queue: Queue; clock: Clock },
  trx: Db,
  { userId, jobId, kind, day }: Ended,
): Promise<void> {
  if (!(await isDaily(trx, { userId, kind, day })) || (await getMailMode({ db: trx }, { userId })) === 'OFF') return;
  const payload: DigestMailPayload = { userId, jobId, day, askedAt: clock.now().toISOString() };
  await queue.send(DIGEST_MAIL_QUEUE.name, payload, { singletonKey: `${userId} ${day}`, db: fromKnex(trx) });
}

/** The email waits for a model this long, from the beginning of its sync. */
const MOST_WAIT_SECONDS = 3600;

/**
 * Called once a model is at work, which may take hours: after one, the email tells of what is written by then. Asked for
 * again after a crash, it is still one.
 */
export async function askForEarlyMail(
  { db, queue, clock }: { db: Db; queue: Queue; clock: Clock },
  { startedAt, ...ended }: Ended & { startedAt: Date },
): Promise<void> {
  const { userId, jobId, day } = ended;
  if (!(await isDaily(db, ended)) || (await getMailMode({ db }, { userId })) === 'OFF') return;
  const now = clock.now();
  const payload: DigestMailPayload = { userId, jobId, day, askedAt: now.toISOString(), isEarly: true };
  const left = MOST_WAIT_SECONDS - (now.getTime() - startedAt.getTime()) / 1000;
  const startAfter = Math.max(0, Math.ceil(left));
  await queue.send(DIGEST_MAIL_QUEUE.name, payload, { singletonKey: `${userId} ${day} early`, startAfter });
}

/** A sync that resumes after a long flood may be the rest of the daily one, or of one that was requested before it. */
async function isDaily(trx: Db, { userId, kind, day }: Omit<Ended, 'jobId'>): Promise<boolean> {
  if (kind !== 'retry') return kind === 'daily';
  return (await repo.findJob(trx, { userId, jobId: dailyJobId(userId, day) })) !== undefined;
}
