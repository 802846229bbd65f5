import { z } from 'zod';
import type { QueueDefinition } from '../../../lib/queue.ts';
import { emailAddress } from '../../base/users/schema.ts';

export const MAX_NAME_LENGTH = 100;

export const nameForm = z.object({
  name: z
    .string('Enter your name.')
    .trim()
    .min(1, 'Enter your name.')
    .max(MAX_NAME_LENGTH, `Use at most ${MAX_NAME_LENGTH} characters.`),
});

/** Single-key shortcuts, such as Y for Confirm. Kept in a cookie: keyboards belong to devices. */
export const keysForm = z.object({ keys: z.enum(['on', 'off'], 'Choose on or off.') });

export const deletionForm = z.object({ email: emailAddress });

/** Removes what still names deleted users. Its jobs carry no user id. */
export const ORPHANS_QUEUE = {
  name: 'account-remains',
  policy: 'standard',
  retryLimit: 10,
  retryDelay: 30,
} as const satisfies QueueDefinition;

/** After this time every worker has noticed that an account is deleted. */
export const ORPHANS_AFTER_SECONDS = 60;

/** How a table with a person's rows goes into their file. */
export type ExportedTable = {
  table: string;
  /** The column that says whose a row is; default `user_id`. */
  owner?: string;
  /**
   * Unique columns, none of them null: rows are read in their order, in batches. For a table that grows, they begin as
   * an index on the user does, or each batch would read all of it again.
   */
  key: readonly [string, ...string[]];
  /** Columns that are named, but not shown: with them the file would let its holder act as the person. */
  secret?: readonly string[];
};
