import { fromKnex } from 'pg-boss';
import type { Mailer } from '../../../clients/mailer/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Queue } from '../../../lib/queue.ts';
import { reserveMailsOfAllUsers } from '../../base/mailing/service.ts';
import { listDueOfAllUsers, listSlotsOfAllUsers } from './repo.ts';
import { dueSlots } from './rules.ts';
import { type DueSlot, WEEK_MAIL_QUEUE, type WeekMailPayload } from './schema.ts';

export type WeekMailsDeps = {
  db: Db;
  queue: Queue;
  clock: Clock;
  /** Undefined where the operator configured none. */
  mailer: Mailer | undefined;
};

/** Users in one transaction. */
const BATCH = 200;

/**
 * Queues the mail of every user whose day and hour have come, only once, however many processes do this at the same
 * time and however often the hour comes. Later on that day it still does; a day later it is too late.
 */
export async function queueWeekMails(deps: WeekMailsDeps): Promise<void> {
  const now = deps.clock.now();
  const slots = deps.mailer ? dueSlots(await listSlotsOfAllUsers(deps.db), now) : [];
  if (slots.length === 0) return;
  while ((await queueBatch(deps, slots, now)) === BATCH);
}

async function queueBatch({ db, queue }: WeekMailsDeps, slots: readonly DueSlot[], now: Date): Promise<number> {
  return db.transaction(async trx => {
    const due = await listDueOfAllUsers(trx, slots, BATCH);
    const mails = await reserveMailsOfAllUsers(trx, 'week', due, now);
    const jobs = mails.map(({ userId, day: monday }) => ({
      data: { userId, monday, askedAt: now.toISOString() } satisfies WeekMailPayload,
      singletonKey: `${userId} ${monday}`,
    }));
    if (jobs.length > 0) await queue.insert(WEEK_MAIL_QUEUE.name, jobs, { db: fromKnex(trx) });
    return due.length;
  });
}
