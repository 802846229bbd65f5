import type { Clock } from '../../lib/clock.ts';
import { hashToken } from '../../lib/crypto.ts';
import type { Db } from '../../lib/db.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { type SignedInNow, type SignInDeps, signIn } from './service.ts';
import { LINK_MINUTES } from './signInMails.ts';
import { claimSignInToken, findSignInToken } from './signInTokenRepo.ts';

/**
 * Signs in whoever holds the token of a mail: it works once, and ends the other links of its address.
 * Throws InvalidInput `LINK_EXPIRED`, `LINK_USED` or `LINK_UNKNOWN`.
 */
export async function signInByMail(
  deps: SignInDeps,
  { token, userAgent }: { token: string; userAgent: string },
): Promise<SignedInNow & { callbackUrl: string }> {
  const tokenHash = hashToken(token);
  // Told only once it is certain: until then the transaction may still fail.
  const newcomers: string[] = [];
  const announceSignUp = ({ userId }: { userId: string }) => void newcomers.push(userId);
  const done = await deps.db.transaction(async trx => {
    const claimed = await claimSignInToken(trx, { tokenHash, now: deps.clock.now() });
    if (!claimed) return undefined;
    const signedIn = await signIn({ ...deps, db: trx, announceSignUp }, { email: claimed.email, userAgent });
    return { ...signedIn, callbackUrl: claimed.callbackUrl };
  });
  if (!done) throw await refusalOf(deps, tokenHash);
  for (const userId of newcomers) deps.announceSignUp({ userId });
  return done;
}

async function refusalOf({ db, clock }: { db: Db; clock: Clock }, tokenHash: string): Promise<InvalidInput> {
  const known = await findSignInToken(db, tokenHash);
  if (!known) return new InvalidInput('This link is not one of ours, or it is too old.', {}, 'LINK_UNKNOWN');
  if (known.usedAt) {
    return new InvalidInput('This link, or a newer one, was used already: each works once.', {}, 'LINK_USED');
  }
  if (known.expiresAt > clock.now()) throw new Error('a good sign-in token was not claimed');
  return new InvalidInput(`This link is too old: it works for ${LINK_MINUTES} minutes.`, {}, 'LINK_EXPIRED');
}
