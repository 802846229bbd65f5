import { fromKnex } from 'pg-boss';
import type { Mail, Mailer } from '../../../clients/mailer/types.ts';
import type { MailViews } from '../../../lib/mailViews.ts';
import type { Queued } from '../../../lib/queue.ts';
import { findTodaysRun, isTimezone } from '../../../lib/timezones.ts';
import { findReportedMonday, signUnsubscribe, toTimeOfDay } from '../../base/mailing/rules.ts';
import { getWeekMail, reserveMailsOfAllUsers, type SendDeps, sendOnce } from '../../base/mailing/service.ts';
import { DEFAULT_SCHEDULE } from '../../base/settings/schema.ts';
import { findEmail } from '../../base/users/repo.ts';
import { readWeek, type Week } from '../../pages/week/service.ts';
import { markAllPromisesShown } from '../../promises/service.ts';
import { LINES, presentWeekMail } from './present.ts';
import { type DueSlot, listDueOfAllUsers, listSlotsOfAllUsers, type Slot } from './repo.ts';
import { WEEK_MAIL_QUEUE, type WeekMailPayload } from './schema.ts';

type WeekMailsDeps = Queued & {
  /** Undefined where the operator configured none. */
  mailer: Mailer | undefined;
};

/** Users in one transaction. */
const BATCH = 200;

/**
 * Queues the mail of every user whose day and hour have come. Each mail is queued once, however many processes do this at
 * the same time. A mail whose hour was missed is still queued later on the same day, but not on the next one.
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
    const mails = await reserveMailsOfAllUsers(trx, 'week', due);
    const jobs = mails.map(({ userId, day: monday }) => ({
      data: { userId, monday, askedAt: now.toISOString() } satisfies WeekMailPayload,
      singletonKey: `${userId} ${monday}`,
    }));
    if (jobs.length > 0) await queue.insert(WEEK_MAIL_QUEUE.name, jobs, { db: fromKnex(trx) });
    return due.length;
  });
}

type WeekMailDeps = SendDeps & {
  mailViews: MailViews;
  sessionSecret: string;
  /** Origin of the service. */
  appUrl: string;
};

/** Sends a week, once, to a user who wants it. Throws ClientError while the server takes no mail, if not too late. */
export async function sendWeekMail(deps: WeekMailDeps, payload: WeekMailPayload): Promise<void> {
  const { userId, monday: day, askedAt } = payload;
  const write = () => writeWeekMail(deps, payload);
  await sendOnce(deps, { userId, kind: 'week', day, askedAt }, write, () => markAllPromisesShown(deps.db, { userId }));
}

/** Writes the mail in the words and numbers of the week's page. Undefined if there is nothing to send, or no recipient. */
async function writeWeekMail(
  deps: WeekMailDeps,
  { userId, monday }: WeekMailPayload,
): Promise<Omit<Mail, 'id'> | undefined> {
  const { isOn } = await getWeekMail(deps, { userId });
  const to = isOn ? await findEmail(deps.db, userId) : undefined;
  if (!to) return undefined;
  const week = await readWeek(deps, { userId, week: monday, promiseLimit: Math.max(LINES.late, LINES.next) });
  // `readWeek` answers with the first known week where an earlier one was asked for.
  if (week.monday !== monday || !isWeekWorthMail(week)) return undefined;
  const token = await signUnsubscribe(deps.sessionSecret, { userId, mail: 'week' }, deps.clock.now());
  const unsubscribeUrl = `${deps.appUrl}/mail/unsubscribe/${token}`;
  const { subject, ...shown } = presentWeekMail(week, { appUrl: deps.appUrl, email: to, unsubscribeUrl });
  return { to, subject, unsubscribeUrl, ...deps.mailViews.render('week', { subject, ...shown }) };
}

/** Slots whose time has come on the present day in their zone. A missed day is not made up for on the next one. */
export function dueSlots(slots: readonly Slot[], now: Date): DueSlot[] {
  return slots.flatMap(slot => {
    // Node versions add and remove time zones; a removed one must not stop everybody's mails.
    const timezone = isTimezone(slot.timezone) ? slot.timezone : DEFAULT_SCHEDULE.timezone;
    const run = findTodaysRun(now, { weekday: slot.day, time: toTimeOfDay(slot.hour), timezone });
    return run && run.at <= now ? [{ ...slot, at: run.at, monday: findReportedMonday(run.day) }] : [];
  });
}

/** A week in which nothing was due, asked or written is not worth a mail. */
function isWeekWorthMail({ counts, waiting, moved }: Week): boolean {
  const { due, fresh, next } = counts;
  return due + fresh + next + waiting.count + moved.length > 0;
}
