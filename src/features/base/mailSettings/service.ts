import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { DEFAULT_WEEK_MAIL, type MailMode } from '../settings/schema.ts';
import { ensureSettings } from '../settings/service.ts';
import { findMailMode, findWeekMail, setMailMode, setWeekMail } from './repo.ts';
import type { Unsubscribe, WeekMail, WeekMailChoice } from './schema.ts';

type Deps = { db: Db; clock: Clock };
type Owner = { userId: string };

/** Whether the user wants the day by mail. */
export async function getMailMode({ db }: { db: Db }, { userId }: Owner): Promise<MailMode> {
  return (await findMailMode(db, userId)) ?? 'OFF';
}

export async function changeMailMode(deps: Deps, { userId, mode }: Owner & { mode: MailMode }): Promise<void> {
  await withSettings(deps, { userId }, trx => setMailMode(trx, userId, mode, deps.clock.now()));
}

/** Whether, and when, the user wants the week by mail. */
export async function getWeekMail({ db }: { db: Db }, { userId }: Owner): Promise<WeekMail> {
  const { weekMail: isOn, weekMailDay: day, weekMailHour: hour } = DEFAULT_WEEK_MAIL;
  return (await findWeekMail(db, userId)) ?? { isOn, day, hour, newest: null };
}

export async function changeWeekMail(
  deps: Deps,
  { userId, weekMail }: Owner & { weekMail: WeekMailChoice },
): Promise<void> {
  await withSettings(deps, { userId }, trx => setWeekMail(trx, userId, weekMail, deps.clock.now()));
}

async function withSettings({ db, clock }: Deps, owner: Owner, change: (trx: Db) => Promise<unknown>): Promise<void> {
  await db.transaction(async trx => {
    await ensureSettings({ db: trx, clock }, owner);
    await change(trx);
  });
}

/** Ends the mails of one kind. A user who is no longer there gets none anyway. */
export async function endMails({ db, clock }: Deps, link: Unsubscribe): Promise<void> {
  if (link.mail === 'week') await setWeekMail(db, link.userId, { isOn: false }, clock.now());
  else await setMailMode(db, link.userId, 'OFF', clock.now());
}

/** Restores the mails as they came before. False for a user who is no longer there. */
export async function bringMailsBack({ db, clock }: Deps, link: Unsubscribe): Promise<boolean> {
  return link.mail === 'week'
    ? setWeekMail(db, link.userId, { isOn: true }, clock.now())
    : setMailMode(db, link.userId, link.mode, clock.now());
}
