import { type Db, type Rows, toStorableJson } from '../../../lib/db.ts';
import { sql } from '../../../lib/sql.ts';
import type { MailMode } from '../settings/schema.ts';
import { type MailKind, type MailOfDay, type WeekMail, type WeekMailChoice, weekMailRow } from './schema.ts';

/** A later day replaces the earlier one. */
const NEXT_DAY = sql`
  on conflict (user_id, kind) do update set
    day = excluded.day,
    message_id = case when old.day = excluded.day then old.message_id else excluded.message_id end,
    state = 'sending'
  where old.day < excluded.day`;

/** The id of this day's mail; undefined if it, or the mail of a later day, was sent or refused. */
export async function beginMail(db: Db, { userId, kind, day }: MailOfDay): Promise<string | undefined> {
  const [row] = await sql`
    insert into sent_mails as old (user_id, kind, day, message_id, state)
    values (${userId}, ${kind}, ${day}, gen_random_uuid(), 'sending')
    ${NEXT_DAY} or (old.day = excluded.day and old.state = 'sending')
    returning message_id
  `.rows<{ message_id: string }>(db);
  return row?.message_id;
}

/** Reserves these mails of all users, which any process may then send. Returns those that were not reserved before. */
export async function reserveMailsOfAllUsers(
  trx: Db,
  kind: MailKind,
  mails: readonly { userId: string; day: string }[],
): Promise<{ userId: string; day: string }[]> {
  if (mails.length === 0) return [];
  return sql`
    insert into sent_mails as old (user_id, kind, day, message_id, state)
    select "userId", ${kind}, day, gen_random_uuid(), 'sending'
    from jsonb_to_recordset(${toStorableJson(mails)}::jsonb) as r ("userId" uuid, day date) order by 1
    ${NEXT_DAY}
    returning user_id as "userId", to_char(day, 'YYYY-MM-DD') as day
  `.rows(trx);
}

export type Claimed = { userId: string; kind: MailKind; messageId: string };

/** @param end its `coversUntil` is the end of the period that the sent mail covers */
export async function finishMail(
  db: Db,
  { userId, kind, messageId }: Claimed,
  end: { state: 'sent'; coversUntil: Date } | { state: 'refused' },
): Promise<void> {
  const coverage = end.state === 'sent' ? { covers_until: end.coversUntil } : {};
  await db('sent_mails')
    .where({ user_id: userId, kind, message_id: messageId })
    .update({ state: end.state, ...coverage });
}

/** End of the period that the newest sent mail of this kind covers; undefined before the first. */
export async function findCoveredUntil(
  db: Db,
  { userId, kind }: { userId: string; kind: MailKind },
): Promise<Date | undefined> {
  const row = await db('sent_mails').where({ user_id: userId, kind }).first<{ covers_until: Date | null } | undefined>();
  return row?.covers_until ?? undefined;
}

/** False if the user is gone or has no configuration: then there are no mails to end. */
export async function setMailMode(db: Db, userId: string, mode: MailMode, now: Date): Promise<boolean> {
  const rows = await db('sync_configs').where({ user_id: userId }).update({ mail_digests: mode, updated_at: now });
  return rows > 0;
}

/** What the user chose for the weekly mail; undefined if nothing was saved. */
export async function findWeekMail(db: Db, userId: string): Promise<WeekMail | undefined> {
  const { rows } = await db.raw<Rows>(
    `
    select week_mail, week_mail_day, week_mail_hour,
      (select to_char(day, 'YYYY-MM-DD') from sent_mails where user_id = :userId and kind = 'week') as newest
    from sync_configs where user_id = :userId
    `,
    { userId },
  );
  return rows[0] ? weekMailRow.parse(rows[0]) : undefined;
}

/**
 * Fields that are not given keep their values. After a change, no mail is sent for a time that had already passed;
 * saving the same choice again doesn't move that moment. Returns false for an unknown user.
 */
export async function setWeekMail(
  db: Db,
  userId: string,
  { isOn, day, hour }: Partial<WeekMailChoice>,
  now: Date,
): Promise<boolean> {
  const changed = await sql`
    update sync_configs old set week_mail = new.is_on, week_mail_day = new.day, week_mail_hour = new.hour, updated_at = ${now},
      week_mail_set_at = case when (old.week_mail, old.week_mail_day, old.week_mail_hour) = (new.is_on, new.day, new.hour)
        then old.week_mail_set_at else ${now}::timestamptz end
    from (
      select coalesce(${isOn ?? null}::boolean, week_mail) as is_on, coalesce(${day ?? null}::smallint, week_mail_day) as day,
        coalesce(${hour ?? null}::smallint, week_mail_hour) as hour
      from sync_configs where user_id = ${userId}
    ) as new where old.user_id = ${userId}
    returning user_id
  `.rows(db);
  return changed.length > 0;
}
