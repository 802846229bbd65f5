import { z } from 'zod';
import type { DailyRun } from '../../lib/timezones.ts';

/** When the daily run is until a user chooses a time. */
export const DEFAULT_SCHEDULE = Object.freeze({
  /** HH:MM, 24-hour, in `timezone`. */
  syncTime: '18:00',
  /** IANA name. */
  timezone: 'UTC',
});

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
