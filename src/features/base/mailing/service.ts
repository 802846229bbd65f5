import { ClientError } from '../../../clients/errors.ts';
import type { Mail, Mailer } from '../../../clients/mailer/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import type { Db, UserKey } from '../../../lib/db.ts';
import { withLease } from '../../../lib/lease.ts';
import type { Log } from '../../../lib/log.ts';
import { type Alerts, notify } from '../alerts/service.ts';
import { DEFAULT_WEEK_MAIL, type MailMode } from '../settings/schema.ts';
import { ensureSettings, getSettingsWithSchedule } from '../settings/service.ts';
import { beginMail, findWeekMail, finishMail, setMailMode, setWeekMail } from './repo.ts';
import type { MailKind, MailOfDay, Unsubscribe, WeekMail, WeekMailChoice } from './schema.ts';

export { reserveMailsOfAllUsers } from './repo.ts';

/** `mailer` is undefined where the operator configured none: then nothing is written. */
export type SendDeps = Timed & { log: Log; alerts: Alerts; mailer: Mailer | undefined };

/** Longer than we wait for a mail server. */
const LEASE_SECONDS = 120;
/** A later mail would be of no use. */
const TOO_LATE_MS = 12 * 3600 * 1000;

const NOT_SENT = { digest: 'DIGEST_MAIL_NOT_SENT', week: 'WEEK_MAIL_NOT_SENT' } as const satisfies Record<MailKind, string>;

/**
 * Writes a mail and sends it once, however often that is asked for: after a crash, by two workers, or again on the same day.
 * Only a crash just after the server accepted the mail sends it twice, both times as the same message.
 * Throws ClientError while the server accepts no mail, until it is too late to send it, and an Error while another worker
 * sends it, or died while it did: the queue retries.
 * @param askedAt when the mail was first asked for, ISO 8601
 * @param write returns undefined if there is nothing to send, or no recipient
 * @param recordSent is called once the server accepted the mail; again if a crash sends it twice
 */
export async function sendOnce(
  deps: SendDeps,
  { askedAt, ...mailOfDay }: MailOfDay & { askedAt: string },
  write: () => Promise<Omit<Mail, 'id'> | undefined>,
  recordSent: () => Promise<void>,
): Promise<void> {
  const { mailer } = deps;
  const coversUntil = deps.clock.now();
  const mail = mailer && (await write());
  if (!mailer || !mail) return;
  const { userId, kind } = mailOfDay;
  const { isHeld } = await withLease(deps, `mail ${kind} ${userId}`, LEASE_SECONDS, async () => {
    const messageId = await beginMail(deps.db, mailOfDay);
    if (messageId === undefined) return;
    const claimed = { userId, kind, messageId };
    const isTooLate = deps.clock.now().getTime() - Date.parse(askedAt) > TOO_LATE_MS;
    const loss = isTooLate ? 'TOO_LATE' : await deliverMail(mailer, { ...mail, id: `${kind}-${messageId}` });
    if (!loss) await recordSent();
    await finishMail(deps.db, claimed, loss ? { state: 'refused' } : { state: 'sent', coversUntil });
    if (loss) notify(deps, { level: 'warn', source: 'mailer', kind: NOT_SENT[kind], about: { userId, code: loss } });
  });
  if (!isHeld) throw new Error('another worker sends this mail');
}

/** Sends a mail: undefined once the server accepted it, a code if it never will. Throws as long as another try may help. */
async function deliverMail(mailer: Mailer, mail: Mail): Promise<string | undefined> {
  try {
    await mailer.send(mail);
    return undefined;
  } catch (err) {
    if (err instanceof ClientError && err.kind === 'permanent') return err.code;
    throw err;
  }
}

/** Whether the user wants the day by mail. */
export async function getMailMode({ db }: { db: Db }, { userId }: UserKey): Promise<MailMode> {
  return (await getSettingsWithSchedule({ db }, { userId })).mailMode;
}

export async function changeMailMode(deps: Timed, { userId, mode }: UserKey & { mode: MailMode }): Promise<void> {
  await changeWithSettings(deps, { userId }, trx => setMailMode(trx, userId, mode, deps.clock.now()));
}

/** Whether, and when, the user wants the week by mail. */
export async function getWeekMail({ db }: { db: Db }, { userId }: UserKey): Promise<WeekMail> {
  const { weekMail: isOn, weekMailDay: day, weekMailHour: hour } = DEFAULT_WEEK_MAIL;
  return (await findWeekMail(db, userId)) ?? { isOn, day, hour, newest: null };
}

export async function changeWeekMail(deps: Timed, { userId, weekMail }: UserKey & { weekMail: WeekMailChoice }) {
  await changeWithSettings(deps, { userId }, trx => setWeekMail(trx, userId, weekMail, deps.clock.now()));
}

async function changeWithSettings(
  { db, clock }: Timed,
  owner: UserKey,
  change: (trx: Db) => Promise<unknown>,
): Promise<void> {
  await db.transaction(async trx => {
    await ensureSettings({ db: trx, clock }, owner);
    await change(trx);
  });
}

/** Switches the mails of one kind off, or on as they were before. False for a user who was deleted. */
export async function switchMails({ db, clock }: Timed, link: Unsubscribe, isOn: boolean): Promise<boolean> {
  if (link.mail === 'week') return setWeekMail(db, link.userId, { isOn }, clock.now());
  return setMailMode(db, link.userId, isOn ? link.mode : 'OFF', clock.now());
}
