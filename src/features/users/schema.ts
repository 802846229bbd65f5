import { z } from 'zod';
import type { QueueDefinition } from '../../lib/queue.ts';

export type User = { id: string; email: string; name: string | null };

export const emailAddress = z
  .string('Enter an email address.')
  .trim()
  .toLowerCase()
  .max(254, 'This is too long for an email address.')
  .pipe(z.email('This is not an email address. It looks like name@example.com.'));

const callbackUrl = z.string().max(2000).optional();

export const devSignInInput = z.object({ email: emailAddress, callbackUrl });

/** What the session is asked for; without one there is nothing to tell. */
export const sessionJson = z.union([
  z.strictObject({
    user: z.strictObject({ id: z.string(), email: z.string(), name: z.string().nullable() }),
    expires: z.iso.datetime(),
  }),
  z.strictObject({}),
]);

export const mailSignInInput = z.object({ email: emailAddress, callbackUrl });

export const mailCallbackInput = z.object({
  token: z.string().min(1).max(200),
  switchFrom: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Id of the user who is signed in now and is to be signed out for the user of the link' }),
});

/** Who wants to sign in, and where to then: a path of our own. */
export const signInWish = z.object({ email: z.string(), callbackUrl: z.string() });
export type SignInWish = z.output<typeof signInWish>;

/** Brings a link to an inbox. Tried again until nobody waits for it any longer; what is done with is soon forgotten. */
export const SIGN_IN_MAIL_QUEUE = {
  name: 'sign-in-mails',
  policy: 'standard',
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 60,
  retryLimit: 1000,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 3600,
  deleteAfterSeconds: 3600,
} as const satisfies QueueDefinition;

export const signInMailPayload = z.object({
  mailId: z.uuid(),
  askedAt: z.iso.datetime(),
  /** The wish, encrypted: what is queued may lie there for a while. */
  sealed: z.string(),
});
export type SignInMail = z.output<typeof signInMailPayload>;

export const signInTokenRow = z
  .object({
    token_hash: z.string(),
    email: z.string(),
    callback_url: z.string(),
    expires_at: z.date(),
    used_at: z.date().nullable(),
  })
  .transform(row => ({
    tokenHash: row.token_hash,
    email: row.email,
    callbackUrl: row.callback_url,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  }));
export type SignInToken = z.output<typeof signInTokenRow>;

export const userRow = z
  .object({ id: z.string(), email: z.string(), name: z.string().nullable() })
  .transform((row): User => row);

export const sessionRow = z.compile(
  z
    .object({
      user_id: z.string(),
      email: z.string(),
      name: z.string().nullable(),
      expires_at: z.date(),
      last_seen_at: z.date(),
    })
    .transform(row => ({
      user: { id: row.user_id, email: row.email, name: row.name },
      expiresAt: row.expires_at,
      lastSeenAt: row.last_seen_at,
    })),
);

export type StoredSession = z.output<typeof sessionRow>;

/** A session somebody is signed in with. `renewedToken` when the one shown was more than a day old. */
export type SignedInUser = { user: User; sessionId: string; expiresAt: Date; renewedToken?: string };

/** Where somebody is signed in. */
export type Device = { id: string; userAgent: string; signedInAt: Date; lastSeenAt: Date };

export const deviceRow = z
  .object({ id: z.string(), user_agent: z.string(), created_at: z.date(), last_seen_at: z.date() })
  .transform(
    (row): Device => ({
      id: row.id,
      userAgent: row.user_agent,
      signedInAt: row.created_at,
      lastSeenAt: row.last_seen_at,
    }),
  );
