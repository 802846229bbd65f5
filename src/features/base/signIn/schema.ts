import { z } from 'zod';
import { type QueueDefinition, UNTIL_DONE } from '../../../lib/queue.ts';
import { rowReader } from '../../../lib/rows.ts';
import { callbackUrl, emailAddress } from '../users/schema.ts';

export const mailSignInInput = z.object({ email: emailAddress, callbackUrl });

export const mailCallbackInput = z.object({
  token: z.string().min(1).max(200),
  switchFrom: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Id of the user who is signed in now and is to be signed out for the user of the link' }),
});

/** Who wants to sign in, and where to go then: a path of our own. */
export const signInWish = z.object({ email: z.string(), callbackUrl: z.string() });
export type SignInWish = z.output<typeof signInWish>;

/** Sends a link to an inbox. Retried as long as a person may be waiting for it; finished jobs are deleted soon. */
export const SIGN_IN_MAIL_QUEUE = {
  name: 'sign-in-mails',
  policy: 'standard',
  ...UNTIL_DONE,
  expireInSeconds: 60,
  retryDelay: 2,
  retryDelayMax: 60,
  retentionSeconds: 3600,
  deleteAfterSeconds: 3600,
} as const satisfies QueueDefinition;

export const signInMailPayload = z.object({
  mailId: z.uuid(),
  askedAt: z.iso.datetime(),
  /** The wish, encrypted: a queued job may stay in the queue for a while. */
  sealed: z.string(),
});
export type SignInMail = z.output<typeof signInMailPayload>;

const signInToken = z.object({
  tokenHash: z.string(),
  email: z.string(),
  callbackUrl: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
  usedAt: z.date().nullable(),
});
export const signInTokenRow = rowReader(signInToken);
export type SignInToken = z.output<typeof signInToken>;
