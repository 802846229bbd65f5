import { type Clock, secondsAfter } from '../../../lib/clock.ts';
import { hashToken, randomToken } from '../../../lib/crypto.ts';
import type { Db } from '../../../lib/db.ts';
import { insertSignInToken } from './repo.ts';
import type { SignInWish } from './schema.ts';

/** Returns a link that signs this address in, once. Only the hash of its token is stored. */
export async function makeSignInLink(
  { db, clock, appUrl }: { db: Db; clock: Clock; appUrl: string },
  { email, callbackUrl, minutes }: SignInWish & { minutes: number },
): Promise<string> {
  const token = randomToken();
  const [createdAt, expiresAt] = [clock.now(), secondsAfter(clock, minutes * 60)];
  await insertSignInToken(db, { tokenHash: hashToken(token), email, callbackUrl, createdAt, expiresAt });
  return `${appUrl}/auth/confirm?token=${token}`;
}
