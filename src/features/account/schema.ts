import { z } from 'zod';
import type { QueueDefinition } from '../../lib/queue.ts';
import { emailAddress } from '../users/schema.ts';

export const LONGEST_NAME = 100;

export const nameForm = z.object({
  name: z
    .string('Enter your name.')
    .trim()
    .min(1, 'Enter your name.')
    .max(LONGEST_NAME, `Use at most ${LONGEST_NAME} characters.`),
});

/** Single keys of the keyboard, such as Y for Confirm. Kept in a cookie: keyboards belong to devices. */
export const keysForm = z.object({ keys: z.enum(['on', 'off'], 'Choose on or off.') });

export const deletionForm = z.object({ email: emailAddress });

/** Takes away what still names users who are gone. Its jobs know nobody. */
export const REMAINS_QUEUE = {
  name: 'account-remains',
  policy: 'standard',
  retryLimit: 10,
  retryDelay: 30,
} as const satisfies QueueDefinition;

/** By then a worker has noticed that what it worked on is gone. */
export const REMAINS_AFTER_SECONDS = 60;

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
