import { z } from 'zod';
import type { QueueDefinition } from '../../../lib/queue.ts';
import { MAIL_JOBS } from '../../base/mailing/schema.ts';

/** Finds, every few minutes, whose weekly mail is due. Two workers running it at once share the users. */
export const WEEK_MAILS_QUEUE = {
  name: 'week-mails',
  cron: '*/5 * * * *',
  policy: 'short',
  retryLimit: 0,
  heartbeatSeconds: 10,
} as const satisfies QueueDefinition;

export const WEEK_MAIL_QUEUE = { name: 'week-mail', ...MAIL_JOBS } as const satisfies QueueDefinition;

/** `monday` is that of the week the mail is about, YYYY-MM-DD. */
export const weekMailPayload = z.object({ userId: z.string(), monday: z.iso.date(), askedAt: z.iso.datetime() });
export type WeekMailPayload = z.output<typeof weekMailPayload>;
