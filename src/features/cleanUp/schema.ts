import type { QueueDefinition } from '../../lib/queue.ts';

/** Once a day, at an hour when few people have their digest made. */
export const CLEAN_UP_QUEUE = {
  name: 'clean-up',
  policy: 'short',
  heartbeatSeconds: 10,
  expireInSeconds: 3 * 3600,
  retryLimit: 3,
  retryDelay: 300,
} as const satisfies QueueDefinition;

export const CLEAN_UP_CRON = '17 2 * * *';
