import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { MAIL_MODES, type MailMode } from '../settings/schema.ts';

/** Tells it from every other token that is signed with the same secret. */
const PURPOSE = 'digest-mails';
/** As long as digests are kept: old mails stay in mailboxes. */
const LIFETIME_MS = 365 * 24 * 3600 * 1000;

const claims = z.object({ sub: z.uuid(), mode: z.enum(MAIL_MODES) });

/** What a link in an email may change, and the value that undoing restores. */
export type Unsubscribe = { userId: string; mode: MailMode };

/** For the links of a mail: needs no sign-in, opens nothing but whether these mails come. */
export async function signUnsubscribe(secret: string, { userId, mode }: Unsubscribe, now: Date): Promise<string> {
  return new SignJWT({ mode })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(PURPOSE)
    .setSubject(userId)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + LIFETIME_MS))
    .sign(new TextEncoder().encode(secret));
}

/** Undefined for anything but a token of {@link signUnsubscribe} that is still valid at `now`. */
export async function readUnsubscribe(secret: string, token: string, now: Date): Promise<Unsubscribe | undefined> {
  try {
    const options = { algorithms: ['HS256'], audience: PURPOSE, currentDate: now };
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), options);
    const { sub, mode } = claims.parse(payload);
    return { userId: sub, mode };
  } catch (err) {
    if (err instanceof errors.JOSEError || err instanceof z.ZodError) return undefined;
    throw err;
  }
}
