import { z } from 'zod';
import { type Db, type Rows, toStorableJson } from '../../../lib/db.ts';

/** The time that users chose: weekday (ISO 8601) and full hour in a time zone. */
const slotRow = z.object({ timezone: z.string(), day: z.number(), hour: z.number() });
export type Slot = z.output<typeof slotRow>;

/** A choice whose time has come, when that was, and the week it is about. */
export type DueSlot = Slot & { at: Date; monday: string };

/** Distinct schedules of all users; few, however many users there are. */
export async function listSlotsOfAllUsers(db: Db): Promise<Slot[]> {
  const { rows } = await db.raw<Rows>(
    `select distinct timezone, week_mail_day as day, week_mail_hour as hour from sync_configs where week_mail`,
  );
  return rows.map(row => slotRow.parse(row));
}

/** Users with one of these choices, made before its time came, whose mail was not requested yet. */
export async function listDueOfAllUsers(db: Db, slots: readonly DueSlot[], limit: number) {
  const { rows } = await db.raw<{ rows: { userId: string; day: string }[] }>(
    `
    select chosen.user_id as "userId", to_char(slot.monday, 'YYYY-MM-DD') as day
    from jsonb_to_recordset(:slots::jsonb) as slot (timezone text, day int, hour int, at timestamptz, monday date)
    join sync_configs chosen on chosen.week_mail and chosen.timezone = slot.timezone
      and chosen.week_mail_day = slot.day and chosen.week_mail_hour = slot.hour and chosen.week_mail_set_at < slot.at
    where not exists (
      select from sent_mails sent where sent.user_id = chosen.user_id and sent.kind = 'week' and sent.day >= slot.monday)
    order by 1 limit :limit
    `,
    { slots: toStorableJson(slots), limit },
  );
  return rows;
}
