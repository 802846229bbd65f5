import { z } from 'zod';
import type { Db } from '../../../lib/db.ts';
import { MAIL_MODES, type MailMode } from '../settings/schema.ts';
import { type WeekMail, type WeekMailChoice, weekMailRow } from './schema.ts';

const modeRow = z.object({ mail_digests: z.enum(MAIL_MODES) });

/** Undefined where nothing was saved. */
export async function findMailMode(db: Db, userId: string): Promise<MailMode | undefined> {
  const row = await db('sync_configs').where({ user_id: userId }).first('mail_digests');
  return row && modeRow.parse(row).mail_digests;
}

/** False if the user is gone or has no configuration: then there are no mails to end. */
export async function setMailMode(db: Db, userId: string, mode: MailMode, now: Date): Promise<boolean> {
  const rows = await db('sync_configs').where({ user_id: userId }).update({ mail_digests: mode, updated_at: now });
  return rows > 0;
}

/** Undefined where nothing was saved. */
export async function findWeekMail(db: Db, userId: string): Promise<WeekMail | undefined> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
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
 * saving the same choice again changes nothing. False as above.
 */
export async function setWeekMail(
  db: Db,
  userId: string,
  { isOn, day, hour }: Partial<WeekMailChoice>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `
    update sync_configs old set week_mail = new.is_on, week_mail_day = new.day, week_mail_hour = new.hour, updated_at = :now,
      week_mail_set_at = case when (old.week_mail, old.week_mail_day, old.week_mail_hour) = (new.is_on, new.day, new.hour)
        then old.week_mail_set_at else :now::timestamptz end
    from (
      select coalesce(:isOn::boolean, week_mail) as is_on, coalesce(:day::smallint, week_mail_day) as day,
        coalesce(:hour::smallint, week_mail_hour) as hour
      from sync_configs where user_id = :userId
    ) as new where old.user_id = :userId
    `,
    { userId, now, isOn: isOn ?? null, day: day ?? null, hour: hour ?? null },
  );
  return rowCount > 0;
}
