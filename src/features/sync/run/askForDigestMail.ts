import { fromKnex } from 'pg-boss';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Queue } from '../../../lib/queue.ts';
import { getMailMode } from '../../base/mailing/service.ts';
import * as repo from '../repo.ts';
import { DIGEST_MAIL_QUEUE, type DigestMailPayload, type SyncKind } from '../schema.ts';
import { dailyJobId } from '../service.ts';

/** The email waits for a model this long, from the beginning of its sync. */
const MOST_WAIT_SECONDS = 3600;

type Sync = { userId: string; jobId: string; kind: SyncKind; day: string };

/**
 * Called in the transaction that ends a day's sync: its digests may go out by mail, if the job finds it worth one.
 * @param sync.modelSince when it began, called once a model is at work, which may take hours: after one, the email tells
 *   of what is written by then. Asked for again after a crash, it is still one.
 */
export async function askForDigestMail(
  { db, queue, clock }: { db: Db; queue: Queue; clock: Clock },
  { modelSince, kind, ...sync }: Sync & { modelSince?: Date },
): Promise<void> {
  const { userId, day } = sync;
  // One that resumes after a long flood may be the rest of the daily one, or of one that was requested before it.
  const daily = kind === 'retry' ? await repo.findJob(db, { userId, jobId: dailyJobId(userId, day) }) : undefined;
  if ((kind !== 'daily' && !daily) || (await getMailMode({ db }, { userId })) === 'OFF') return;
  const now = clock.now();
  const payload: DigestMailPayload = { ...sync, askedAt: now.toISOString(), ...(modelSince && { isEarly: true }) };
  const left = modelSince ? MOST_WAIT_SECONDS - (now.getTime() - modelSince.getTime()) / 1000 : 0;
  await queue.send(DIGEST_MAIL_QUEUE.name, payload, {
    singletonKey: `${userId} ${day}${modelSince ? ' early' : ''}`,
    startAfter: Math.max(0, Math.ceil(left)),
    db: fromKnex(db),
  });
}
