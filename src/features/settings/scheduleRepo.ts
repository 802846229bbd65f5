import { z } from 'zod';
import type { Db } from '../../lib/db.ts';
import type { DailyRun } from '../../lib/timezones.ts';
import { DEFAULT_CONFIG } from './schema.ts';

/** What a user's schedule rests on, and where it stands. */
export type Schedule = {
  userId: string;
  syncTime: string;
  timezone: string;
  next: DailyRun | null;
  /** The day of the newest run, YYYY-MM-DD; null before the first. */
  lastDay: string | null;
};

export const scheduleRow = z.compile(
  z
    .object({
      user_id: z.string(),
      sync_time: z.string(),
      timezone: z.string(),
      next_sync_at: z.date().nullable(),
      next_day: z.string().nullable(),
      last_day: z.string().nullable(),
    })
    .transform(
      (row): Schedule => ({
        userId: row.user_id,
        syncTime: row.sync_time,
        timezone: row.timezone,
        next: row.next_sync_at && row.next_day !== null ? { at: row.next_sync_at, day: row.next_day } : null,
        lastDay: row.last_day,
      }),
    ),
);

export const SCHEDULE_COLUMNS = `user_id, sync_time, timezone, next_sync_at,
  to_char(next_sync_day, 'YYYY-MM-DD') as next_day, to_char(last_sync_day, 'YYYY-MM-DD') as last_day`;

/** Nobody else changes the user's schedule until the transaction ends. */
export async function lockSchedule(trx: Db, userId: string): Promise<Schedule | undefined> {
  const row = await trx('sync_configs')
    .select(trx.raw(SCHEDULE_COLUMNS))
    .where({ user_id: userId })
    .forUpdate()
    .first();
  return row && scheduleRow.parse(row);
}

export async function findSchedule(db: Db, userId: string): Promise<Schedule | undefined> {
  const row = await db('sync_configs').select(db.raw(SCHEDULE_COLUMNS)).where({ user_id: userId }).first();
  return row && scheduleRow.parse(row);
}

/** The defaults, for a user who has saved nothing; what was saved stays. */
export async function ensureConfig(trx: Db, userId: string, now: Date): Promise<void> {
  await trx('sync_configs')
    .insert({
      user_id: userId,
      sync_time: DEFAULT_CONFIG.syncTime,
      timezone: DEFAULT_CONFIG.timezone,
      include_groups: DEFAULT_CONFIG.includeGroups,
      min_messages: DEFAULT_CONFIG.minMessages,
      summary_style: DEFAULT_CONFIG.summaryStyle,
      auto_create_contacts: DEFAULT_CONFIG.autoCreateContacts,
      updated_at: now,
    })
    .onConflict('user_id')
    .ignore();
}

export async function setNext(trx: Db, userId: string, next: DailyRun): Promise<void> {
  await trx('sync_configs').where({ user_id: userId }).update({ next_sync_at: next.at, next_sync_day: next.day });
}
