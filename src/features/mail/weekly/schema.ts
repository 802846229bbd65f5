import { z } from 'zod';
import type { QueueDefinition } from '../../../lib/queue.ts';
import { MAIL_JOBS } from '../../base/mailing/schema.ts';

/** Finds, every few minutes, whose weekly mail is due. Two workers running it at once share the users. */
export const WEEK_MAILS_QUEUE = {
  name: 'week-mails',
  policy: 'short',
  retryLimit: 0,
  heartbeatSeconds: 10,
} as const satisfies QueueDefinition;

export const WEEK_MAILS_CRON = '*/5 * * * *';

/** Sends one user's week. */
export const WEEK_MAIL_QUEUE = { name: 'week-mail', ...MAIL_JOBS } as const satisfies QueueDefinition;

/** `monday` is that of the week the mail is about, YYYY-MM-DD. */
export const weekMailPayload = z.object({ userId: z.string(), monday: z.iso.date(), askedAt: z.iso.datetime() });
export type WeekMailPayload = z.output<typeof weekMailPayload>;

/** What users chose: weekday (ISO 8601) and full hour in a time zone. */
export const slotRow = z.object({ timezone: z.string(), day: z.number(), hour: z.number() });
export type Slot = z.output<typeof slotRow>;

/** A choice whose time has come, when that was, and the week it is about. */
export type DueSlot = Slot & { at: Date; monday: string };
