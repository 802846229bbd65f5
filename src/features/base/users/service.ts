import { randomUUID, webcrypto } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { ClientError } from '../../../clients/errors.ts';
import type { Mailer } from '../../../clients/mailer/types.ts';
import { type Clock, secondsAfter, secondsBefore, type Timed } from '../../../lib/clock.ts';
import { type Cipher, hashToken, keyedHash, randomToken } from '../../../lib/crypto.ts';
import { type Db, isUuid, type UserKey } from '../../../lib/db.ts';
import { Conflict, Forbidden, InvalidInput, NotFound } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import type { MailViews } from '../../../lib/mailViews.ts';
import { oncePer } from '../../../lib/once.ts';
import type { Queue } from '../../../lib/queue.ts';
import * as repo from './repo.ts';
import { foldAddress, isAdmitted, LINK_MINUTES, maskAddress } from './rules.ts';
import * as schema from './schema.ts';

export { deleteAllDevices, deleteSignInTokensOf, setName } from './repo.ts';

/** A session lasts this long from its last use. */
export const SESSION_DAYS = 30;
const SESSION_SECONDS = SESSION_DAYS * 24 * 3600;
/** A token older than this is replaced at its next use. */
const RENEW_AFTER_SECONDS = 24 * 3600;

type Deps = Timed & { sessionSecret: string; ownerEmail?: string | undefined };

/** Tells the operator about a new user. */
export type AnnounceSignUp = (about: UserKey) => void;

export type SignInDeps = Deps & { announceSignUp: AnnounceSignUp };
export type SignedInNow = { user: schema.User; token: string; expiresAt: Date };

/**
 * Signs in the owner of a proven address; creates the user the first time. In a one-person installation, throws
 * Forbidden `NOT_ADMITTED` for any address but the owner's; the only account follows the owner to a new one.
 */
export async function signIn(deps: SignInDeps, input: { email: string; userAgent: string }): Promise<SignedInNow> {
  if (!isAdmitted(deps, input.email)) throw new Forbidden('Only the owner can sign in here.', 'NOT_ADMITTED');
  const issuedAt = deps.clock.now();
  const expiresAt = secondsAfter(deps.clock, SESSION_SECONDS);
  const sessionId = randomUUID();
  const { user, created } = await deps.db.transaction(async trx => {
    if (deps.ownerEmail !== undefined) await repo.moveOnlyUserTo(trx, deps.ownerEmail);
    const found = await repo.findOrCreateUser(trx, input.email);
    const userAgent = input.userAgent.slice(0, 300);
    await repo.insertSession(trx, { id: sessionId, userId: found.user.id, userAgent, createdAt: issuedAt, expiresAt });
    return found;
  });
  if (created) deps.announceSignUp({ userId: user.id });
  const token = await signSessionToken(deps.sessionSecret, { user, sessionId, issuedAt, expiresAt });
  return { user, token, expiresAt };
}

/** The user of a session token. It must be ours and in date, its session not ended, and its user admitted. */
export async function authenticate(deps: Deps, token: string): Promise<schema.SignedInUser | undefined> {
  const now = deps.clock.now();
  const claims = await readSessionToken(deps.sessionSecret, token, now);
  if (!claims) return undefined;
  const session = await repo.admitSession(deps.db, { id: claims.sessionId, userId: claims.userId, now });
  if (!session || !isAdmitted(deps, session.user.email)) return undefined;
  const { user, expiresAt, lastSeenAt } = session;
  const [renewed] = await Promise.all([
    renewOldToken(deps, user, claims),
    recordSeen(deps, { userId: user.id, id: claims.sessionId, lastSeenAt }),
  ]);
  return renewed ?? { user, sessionId: claims.sessionId, expiresAt };
}

async function renewOldToken(
  deps: Deps,
  user: schema.User,
  claims: SessionClaims,
): Promise<schema.SignedInUser | undefined> {
  const issuedAt = deps.clock.now();
  if (issuedAt.getTime() - claims.issuedAt.getTime() < RENEW_AFTER_SECONDS * 1000) return undefined;
  const { sessionId } = claims;
  const expiresAt = secondsAfter(deps.clock, SESSION_SECONDS);
  await repo.extendSession(deps.db, { id: sessionId, userId: user.id, expiresAt });
  const renewedToken = await signSessionToken(deps.sessionSecret, { user, sessionId, issuedAt, expiresAt });
  return { user, sessionId, expiresAt, renewedToken };
}

/** The time of the last use is stored at most this often, since not every request should cost a write. */
const SEEN_AGAIN_MS = 3_600_000;

/** Stores when the user was last seen. It is called for every request, and writes at most once an hour. */
async function recordSeen(deps: Timed, session: { userId: string; id: string; lastSeenAt: Date }) {
  const now = deps.clock.now();
  if (now.getTime() - session.lastSeenAt.getTime() < SEEN_AGAIN_MS) return;
  await repo.setLastSeen(deps.db, { userId: session.userId, id: session.id, now });
}

/** Signs one device out. Throws NotFound for an unknown one and for another user's. */
export async function endDevice(deps: { db: Db }, { userId, id }: { userId: string; id: string }): Promise<void> {
  const ended = isUuid(id) && (await repo.deleteDevice(deps.db, { userId, id }));
  if (!ended) throw new NotFound('device');
}

const tokenPayload = z.compile(z.object({ sub: z.uuid(), sid: z.uuid(), iat: z.number(), exp: z.number() }));

type SessionClaims = { userId: string; sessionId: string; issuedAt: Date };

type Issue = { user: schema.User; sessionId: string; issuedAt: Date; expiresAt: Date };

/** The JWT in the session cookie: HS256 over sub, email, name, sid, iat, exp. */
async function signSessionToken(secret: string, issue: Issue): Promise<string> {
  return new SignJWT({ email: issue.user.email, name: issue.user.name, sid: issue.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(issue.user.id)
    .setIssuedAt(issue.issuedAt)
    .setExpirationTime(issue.expiresAt)
    .sign(await signingKey(secret));
}

/** What a session token says; undefined for any other text, and when it is no longer valid at `now`. */
async function readSessionToken(secret: string, token: string, now: Date): Promise<SessionClaims | undefined> {
  try {
    const key = await signingKey(secret);
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: now });
    const { sub, sid, iat } = tokenPayload.parse(payload);
    return { userId: sub, sessionId: sid, issuedAt: new Date(iat * 1000) };
  } catch (err) {
    if (err instanceof errors.JOSEError || err instanceof z.ZodError) return undefined;
    throw err;
  }
}

/** Imported once for each secret: every request checks a token, and importing takes as long as checking. */
const signingKey = oncePer((secret: string): Promise<webcrypto.CryptoKey> => {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['sign', 'verify']);
});

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
export async function askForSignInMail(deps: AskDeps, { network, ...wish }: schema.SignInWish & { network: string }) {
  await deps.limitSignIn.network(keyedHash(deps.sessionSecret, network));
  await deps.limitSignIn.address(keyedHash(deps.sessionSecret, foldAddress(wish.email)));
  const mailId = randomUUID();
  const sealed = deps.cipher.encrypt(JSON.stringify(wish), mailContext(mailId));
  const job: schema.SignInMail = { mailId, askedAt: deps.clock.now().toISOString(), sealed };
  await deps.queue.send(schema.SIGN_IN_MAIL_QUEUE.name, job);
}

type SignInMailDeps = Timed & {
  cipher: Cipher;
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
export async function sendSignInMail(deps: SignInMailDeps, { mailId, askedAt, sealed }: schema.SignInMail) {
  const { mailer, log } = deps;
  if (!mailer) return log.warn({ mailId }, 'sign-in mail dropped: no mail server is configured');
  if (new Date(askedAt) < secondsBefore(deps.clock, LINK_MINUTES * 60)) {
    return log.warn({ mailId }, 'sign-in mail dropped: it is too old');
  }
  const wish = schema.signInWish.parse(JSON.parse(deps.cipher.decrypt(sealed, mailContext(mailId))));
  // Checked here and not on request, so that neither the answer nor its timing tells whose address is the owner's.
  if (!isAdmitted(deps, wish.email)) return log.info({ mailId }, 'sign-in mail dropped: the address is not the owner’s');
  const url = await makeSignInLink(deps, { ...wish, minutes: LINK_MINUTES });
  const body = deps.mailViews.render('signin', { url, minutes: LINK_MINUTES });
  try {
    await mailer.send({ to: wish.email, subject: 'Forenoon sign-in', ...body, id: mailId });
  } catch (err) {
    if (!(err instanceof ClientError) || err.kind !== 'permanent') throw err;
    log.warn({ err, mailId }, 'sign-in mail dropped: it was rejected');
  }
}

const mailContext = (mailId: string): string => `sign-in mail ${mailId}`;

/** Returns a link that signs this address in, once. Only the hash of its token is stored. */
export async function makeSignInLink(
  { db, clock, appUrl }: Timed & { appUrl: string },
  { email, callbackUrl, minutes }: schema.SignInWish & { minutes: number },
): Promise<string> {
  const token = randomToken();
  const [createdAt, expiresAt] = [clock.now(), secondsAfter(clock, minutes * 60)];
  await repo.insertSignInToken(db, { tokenHash: hashToken(token), email, callbackUrl, createdAt, expiresAt });
  return `${appUrl}/auth/confirm?token=${token}`;
}

export const OTHER_USER = 'OTHER_USER_SIGNED_IN';

type LinkDeps = Timed & { ownerEmail?: string | undefined };

/** The user whom a link would sign in. Throws InvalidInput `LINK_EXPIRED`, `LINK_USED` or `LINK_UNKNOWN`. */
export async function readSignInLink(deps: LinkDeps, { token }: { token: string }): Promise<{ email: string }> {
  const link = await findAdmitted(deps, hashToken(token));
  if (!link || !isUsable(link, deps.clock)) throw linkRefusal(link);
  return { email: link.email };
}

type LinkUse = {
  token: string;
  userAgent: string;
  /** User already signed in in this browser. */
  current: schema.User | undefined;
  /** Id of the user whom the person agreed to sign out. */
  switchFrom: string | undefined;
};

/**
 * Signs in the holder of a link from an email or the terminal. A link works once, and using it ends the others of its
 * address. Throws InvalidInput `LINK_EXPIRED`, `LINK_USED` or `LINK_UNKNOWN`, and Conflict `OTHER_USER_SIGNED_IN` while a
 * user is signed in who hasn't agreed to switch: a stranger's link would have them work in the stranger's account.
 */
export async function signInByMail(
  deps: SignInDeps,
  { token, userAgent, current, switchFrom }: LinkUse,
): Promise<SignedInNow & { callbackUrl: string }> {
  const tokenHash = hashToken(token);
  const link = await findAdmitted(deps, tokenHash);
  if (!link || !isUsable(link, deps.clock)) throw linkRefusal(link);
  if (current && current.email !== link.email && current.id !== switchFrom) throw otherUser(link);
  // Announced only once it is certain: until then the transaction may still fail.
  const newcomers: string[] = [];
  const announceSignUp = ({ userId }: UserKey) => void newcomers.push(userId);
  const done = await deps.db.transaction(async trx => {
    const claimed = await repo.claimSignInToken(trx, { tokenHash, now: deps.clock.now() });
    if (!claimed) return undefined;
    const signedIn = await signIn({ ...deps, db: trx, announceSignUp }, { email: claimed.email, userAgent });
    return { ...signedIn, callbackUrl: claimed.callbackUrl };
  });
  // A concurrent request used the link, or it has expired.
  if (!done) throw linkRefusal(await repo.findSignInToken(deps.db, tokenHash));
  for (const userId of newcomers) deps.announceSignUp({ userId });
  return done;
}

/** A link for an address that is no longer admitted counts as no link. */
async function findAdmitted(deps: LinkDeps, tokenHash: string): Promise<schema.SignInToken | undefined> {
  const link = await repo.findSignInToken(deps.db, tokenHash);
  return link && isAdmitted(deps, link.email) ? link : undefined;
}

const isUsable = (link: schema.SignInToken, clock: Clock): boolean => link.usedAt === null && link.expiresAt > clock.now();

function otherUser({ email }: schema.SignInToken): Conflict {
  const address = maskAddress(email);
  return new Conflict(OTHER_USER, `Someone else is signed in. Confirm that you want to sign in as ${address}.`, { address });
}

function linkRefusal(link: schema.SignInToken | undefined): InvalidInput {
  if (!link) return new InvalidInput('We don’t recognize this link, or it’s too old.', {}, 'LINK_UNKNOWN');
  if (link.usedAt) return new InvalidInput('This link has already been used, or a newer one has.', {}, 'LINK_USED');
  const minutes = Math.round((link.expiresAt.getTime() - link.createdAt.getTime()) / 60_000);
  return new InvalidInput(`This link has expired. It worked for ${minutes} minutes.`, {}, 'LINK_EXPIRED');
}
