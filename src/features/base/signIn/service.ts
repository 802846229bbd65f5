import { randomUUID } from 'node:crypto';
import { ClientError } from '../../../clients/errors.ts';
import type { Mailer } from '../../../clients/mailer/types.ts';
import { type Clock, secondsAfter, secondsBefore } from '../../../lib/clock.ts';
import { type Cipher, hashToken, keyedHash, randomToken } from '../../../lib/crypto.ts';
import type { Db } from '../../../lib/db.ts';
import { Conflict, InvalidInput } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import type { MailViews } from '../../../lib/mailViews.ts';
import type { Queue } from '../../../lib/queue.ts';
import type { User } from '../users/schema.ts';
import { isAdmitted, type SignedInNow, type SignInDeps, signIn } from '../users/service.ts';
import { claimSignInToken, findSignInToken, insertSignInToken } from './repo.ts';
import { foldAddress, LINK_MINUTES, maskAddress } from './rules.ts';
import { SIGN_IN_MAIL_QUEUE, type SignInMail, type SignInToken, type SignInWish, signInWish } from './schema.ts';

export { deleteSignInTokensBefore, deleteSignInTokensOf } from './repo.ts';

export type AskDeps = {
  queue: Queue;
  cipher: Cipher;
  clock: Clock;
  sessionSecret: string;
  limitSignIn: Record<'address' | 'network', (key: string) => Promise<void>>;
};

/**
 * Has a link sent to an address. Nothing is looked up and nothing is sent here, so that neither the answer nor its
 * timing tells whether this address has an account. The queue holds the address encrypted. Throws TooManyRequests,
 * counted per inbox and per network that the request comes from.
 */
export async function askForSignInMail(
  deps: AskDeps,
  { network, ...wish }: SignInWish & { network: string },
): Promise<void> {
  await deps.limitSignIn.network(keyedHash(deps.sessionSecret, network));
  await deps.limitSignIn.address(keyedHash(deps.sessionSecret, foldAddress(wish.email)));
  const mailId = randomUUID();
  const sealed = deps.cipher.encrypt(JSON.stringify(wish), contextOf(mailId));
  const job: SignInMail = { mailId, askedAt: deps.clock.now().toISOString(), sealed };
  await deps.queue.send(SIGN_IN_MAIL_QUEUE.name, job);
}

/** No one waits longer than this for a link, and requesting a new one takes only a moment. */
const PATIENCE_SECONDS = 30 * 60;

export type SendDeps = {
  db: Db;
  cipher: Cipher;
  clock: Clock;
  log: Log;
  mailer: Mailer | undefined;
  mailViews: MailViews;
  appUrl: string;
  ownerEmail: string | undefined;
};

/**
 * Sends a mail with a new token; only its hash is kept. A mail that the server refuses for good is dropped; other
 * errors are thrown (ClientError) and retried by the queue. A try with an unknown outcome may leave a mail that works.
 */
export async function sendSignInMail(deps: SendDeps, { mailId, askedAt, sealed }: SignInMail): Promise<void> {
  const { mailer, log } = deps;
  if (!mailer) return log.warn({ mailId }, 'sign-in mail dropped: no mail server is configured');
  if (new Date(askedAt) < secondsBefore(deps.clock, PATIENCE_SECONDS)) {
    return log.warn({ mailId }, 'sign-in mail dropped: it is too old');
  }
  const wish = signInWish.parse(JSON.parse(deps.cipher.decrypt(sealed, contextOf(mailId))));
  // Checked here and not on request, so that neither the answer nor its timing tells whose address is the owner's.
  if (!isAdmitted(deps, wish.email))
    return log.info({ mailId }, 'sign-in mail dropped: the address is not the owner’s');
  const url = await makeSignInLink(deps, { ...wish, minutes: LINK_MINUTES });
  const body = deps.mailViews.render('signin', { url, minutes: LINK_MINUTES });
  try {
    await mailer.send({ to: wish.email, subject: 'Forenoon sign-in', ...body, id: mailId });
  } catch (err) {
    if (!(err instanceof ClientError) || err.kind !== 'permanent') throw err;
    log.warn({ err, mailId }, 'sign-in mail dropped: it was rejected');
  }
}

function contextOf(mailId: string): string {
  return `sign-in mail ${mailId}`;
}

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

type LinkUse = {
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
