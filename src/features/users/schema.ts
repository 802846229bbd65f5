import { z } from 'zod';

export type User = { id: string; email: string; name: string | null };

export const emailAddress = z
  .string('Enter an email address.')
  .trim()
  .toLowerCase()
  .max(254, 'This is too long for an email address.')
  .pipe(z.email('This is not an email address. It looks like name@example.com.'));

export const callbackUrl = z.string().max(2000).optional();

export const devSignInInput = z.object({ email: emailAddress, callbackUrl });

/** What the session is asked for; without one there is nothing to tell. */
export const sessionJson = z.union([
  z.strictObject({
    user: z.strictObject({ id: z.string(), email: z.string(), name: z.string().nullable() }),
    expires: z.iso.datetime(),
  }),
  z.strictObject({}),
]);

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
