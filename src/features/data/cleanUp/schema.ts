import { z } from 'zod';
import type { QueueDefinition } from '../../../lib/queue.ts';

/** Runs once a day, at an hour when few people get their digests. */
export const CLEAN_UP_QUEUE = {
  name: 'clean-up',
  cron: '17 2 * * *',
  policy: 'short',
  heartbeatSeconds: 10,
  expireInSeconds: 3 * 3600,
  retryLimit: 3,
  retryDelay: 300,
} as const satisfies QueueDefinition;

/** Number of rows that a clean-up on this day (UTC) would delete. */
const loss = z.object({ day: z.string(), digests: z.int(), promises: z.int() });
export type DeletionCounts = z.output<typeof loss>;

/** `confirmed`: how much the operator has agreed to delete; undefined in the daily job. */
export const cleanUpPayload = z.object({ confirmed: loss.optional() });
export type CleanUpPayload = z.output<typeof cleanUpPayload>;
