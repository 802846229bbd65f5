import { z } from 'zod';
import { rowReader } from '../../../lib/rows.ts';
import type { DailyRun } from '../../../lib/timezones.ts';

/** When the daily run is until a user chooses a time. */
export const DEFAULT_SCHEDULE = Object.freeze({
  /** HH:MM, 24-hour, in `timezone`. */
  syncTime: '18:00',
  /** IANA name. */
  timezone: 'UTC',
});

const schedule = z
  .object({
    userId: z.string(),
    syncTime: z.string(),
    timezone: z.string(),
    nextSyncAt: z.date().nullable(),
    nextDay: z.string().nullable(),
    /** The day of the newest run, YYYY-MM-DD; null before the first. */
    lastDay: z.string().nullable(),
  })
  .transform(({ nextSyncAt: at, nextDay: day, ...row }) => {
    const next: DailyRun | null = at && day !== null ? { at, day } : null;
    return { ...row, next };
  });
export const scheduleRow = rowReader(schedule);

/** What a user's schedule depends on, and its next run. */
export type Schedule = z.output<typeof schedule>;
