import { z } from 'zod';

export const LONGEST_NAME = 100;

export const nameForm = z.object({
  name: z
    .string('Enter your name.')
    .trim()
    .min(1, 'Enter your name.')
    .max(LONGEST_NAME, `Use at most ${LONGEST_NAME} characters.`),
});

/** Single-key shortcuts, such as Y for Confirm. Kept in a cookie: keyboards belong to devices. */
export const keysForm = z.object({ keys: z.enum(['on', 'off'], 'Choose on or off.') });
