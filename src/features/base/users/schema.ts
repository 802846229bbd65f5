import { z } from 'zod';
import { rowReader } from '../../../lib/rows.ts';

const user = z.object({ id: z.string(), email: z.string(), name: z.string().nullable() });
export const userRow = rowReader(user);
export type User = z.output<typeof user>;

export const emailAddress = z
  .string('Enter an email address.')
  .trim()
  .toLowerCase()
  .max(254, 'This is too long for an email address.')
  .pipe(z.email('This is not an email address. It looks like name@example.com.'));

export const callbackUrl = z.string().max(2000).optional();

export const devSignInInput = z.object({ email: emailAddress, callbackUrl });

/** What the session endpoint returns; nothing without a session. */
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

/** A device a user is signed in on. */
const device = z.object({ id: z.string(), userAgent: z.string(), signedInAt: z.date(), lastSeenAt: z.date() });
export const deviceRow = rowReader(device, { created_at: 'signedInAt' });
export type Device = z.output<typeof device>;
