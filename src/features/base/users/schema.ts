import { z } from 'zod';
import { rowReader } from '../../../lib/db.ts';
import { type QueueDefinition, RETRY_FOREVER } from '../../../lib/queue.ts';

const user = z.object({ id: z.string(), email: z.string(), name: z.string().nullable() });
export const userRow = rowReader(user);
export type User = z.output<typeof user>;

export const emailAddress = z
  .string('Enter an email address.')
  .trim()
  .toLowerCase()
  .max(254, 'This is too long for an email address.')
  .pipe(z.email('This is not an email address. It looks like name@example.com.'));

const callbackUrl = z.string().max(2000).optional();

export const signInInput = z.object({ email: emailAddress, callbackUrl });

/** Response of the session endpoint; empty without a session. */
export const sessionJson = z.union([
  z.strictObject({
    user: z.strictObject({ id: z.string(), email: z.string(), name: z.string().nullable() }),
    expires: z.iso.datetime(),
  }),
  z.strictObject({}),
]);

const session = z
  .object({ ...user.shape, expiresAt: z.date(), lastSeenAt: z.date() })
  .transform(({ id, email, name, ...row }) => ({ ...row, user: { id, email, name } }));
export const sessionRow = rowReader(session, { user_id: 'id' });
export type StoredSession = z.output<typeof session>;

/** A session a user is signed in with. `renewedToken` is set if the given token was more than a day old. */
export type SignedInUser = { user: User; sessionId: string; expiresAt: Date; renewedToken?: string };

/** A device with a user's session. */
const device = z.object({ id: z.string(), userAgent: z.string(), signedInAt: z.date(), lastSeenAt: z.date() });
export const deviceRow = rowReader(device, { created_at: 'signedInAt' });
export type Device = z.output<typeof device>;

export const mailCallbackInput = z.object({
  token: z.string().min(1).max(200),
  switchFrom: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Id of the user who is signed in now and is to be signed out for the user of the link' }),
});

/** Email address and the local path to open after signing in. */
export const signInWish = z.object({ email: z.string(), callbackUrl: z.string() });
export type SignInWish = z.output<typeof signInWish>;

/** Sends a link to an inbox. Retried as long as a person may be waiting for it; finished jobs are deleted soon. */
export const SIGN_IN_MAIL_QUEUE = {
  name: 'sign-in-mails',
  policy: 'standard',
  ...RETRY_FOREVER,
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
