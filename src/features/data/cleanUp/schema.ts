import type { QueueDefinition } from '../../../lib/queue.ts';

/** Runs once a day, at an hour when few people get their digests. */
export const CLEAN_UP_QUEUE = {
  name: 'clean-up',
  policy: 'short',
  heartbeatSeconds: 10,
  expireInSeconds: 3 * 3600,
  retryLimit: 3,
  retryDelay: 300,
} as const satisfies QueueDefinition;

export const CLEAN_UP_CRON = '17 2 * * *';
