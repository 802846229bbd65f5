import type { Clock } from '../../../lib/clock.ts';
import { hashToken } from '../../../lib/crypto.ts';
import type { Db } from '../../../lib/db.ts';
import { Conflict, InvalidInput } from '../../../lib/errors.ts';
import { isAdmitted } from '../users/rules.ts';
import type { User } from '../users/schema.ts';
import { type SignedInNow, type SignInDeps, signIn } from '../users/service.ts';
import { claimSignInToken, findSignInToken } from './repo.ts';
import { maskAddress } from './rules.ts';
import type { SignInToken } from './schema.ts';

export const OTHER_USER = 'OTHER_USER_SIGNED_IN';

type LinkDeps = { db: Db; clock: Clock; ownerEmail?: string | undefined };

/**
 * Whom a link would sign in, for the page that asks. Changes nothing. Throws InvalidInput `LINK_EXPIRED`, `LINK_USED` or
 * `LINK_UNKNOWN`.
 */
export async function readSignInLink(deps: LinkDeps, { token }: { token: string }): Promise<{ email: string }> {
  const link = await findAdmitted(deps, hashToken(token));
  if (!link || !isGood(link, deps.clock)) throw refusalOf(link);
  return { email: link.email };
}

export type LinkUse = {
  token: string;
  userAgent: string;
  /** Who is signed in where the link is used. */
  current: User | undefined;
  /** Id of the user whom the person agreed to sign out. */
  switchFrom: string | undefined;
};

/**
 * Signs in the holder of a token from an email or the terminal: it works once, and ends the other links of its address. Throws InvalidInput
 * `LINK_EXPIRED`, `LINK_USED` or `LINK_UNKNOWN`. While another user is signed in, the person must have agreed to switch,
 * because a stranger's link would have them work in the stranger's account: throws Conflict `OTHER_USER_SIGNED_IN`.
 */
export async function signInByMail(
  deps: SignInDeps,
  { token, userAgent, current, switchFrom }: LinkUse,
): Promise<SignedInNow & { callbackUrl: string }> {
  const tokenHash = hashToken(token);
  const link = await findAdmitted(deps, tokenHash);
  if (!link || !isGood(link, deps.clock)) throw refusalOf(link);
  if (current && current.email !== link.email && current.id !== switchFrom) throw otherUser(link);
  // Announced only once it is certain: until then the transaction may still fail.
  const newcomers: string[] = [];
  const announceSignUp = ({ userId }: { userId: string }) => void newcomers.push(userId);
  const done = await deps.db.transaction(async trx => {
    const claimed = await claimSignInToken(trx, { tokenHash, now: deps.clock.now() });
    if (!claimed) return undefined;
    const signedIn = await signIn({ ...deps, db: trx, announceSignUp }, { email: claimed.email, userAgent });
    return { ...signedIn, callbackUrl: claimed.callbackUrl };
  });
  // Used by a concurrent request, or expired since.
  if (!done) throw refusalOf(await findSignInToken(deps.db, tokenHash));
  for (const userId of newcomers) deps.announceSignUp({ userId });
  return done;
}

/** A link for an address that is no longer admitted counts as no link. */
async function findAdmitted(deps: LinkDeps, tokenHash: string): Promise<SignInToken | undefined> {
  const link = await findSignInToken(deps.db, tokenHash);
  return link && isAdmitted(deps, link.email) ? link : undefined;
}

function isGood(link: SignInToken, clock: Clock): boolean {
  return link.usedAt === null && link.expiresAt > clock.now();
}

function otherUser({ email }: SignInToken): Conflict {
  const address = maskAddress(email);
  return new Conflict(OTHER_USER, `Someone else is signed in. Confirm that you want to sign in as ${address}.`, {
    address,
  });
}

function refusalOf(link: SignInToken | undefined): InvalidInput {
  if (!link) return new InvalidInput('We don’t recognize this link, or it’s too old.', {}, 'LINK_UNKNOWN');
  if (link.usedAt) return new InvalidInput('This link has already been used, or a newer one has.', {}, 'LINK_USED');
  const minutes = Math.round((link.expiresAt.getTime() - link.createdAt.getTime()) / 60_000);
  return new InvalidInput(`This link has expired. It worked for ${minutes} minutes.`, {}, 'LINK_EXPIRED');
}
