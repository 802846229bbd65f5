import { ClientError } from '../../clients/errors.ts';
import type { Mailer } from '../../clients/mailer/types.ts';
import { type Clock, secondsAfter, secondsBefore } from '../../lib/clock.ts';
import { type Cipher, hashToken, randomToken } from '../../lib/crypto.ts';
import type { Db } from '../../lib/db.ts';
import type { Log } from '../../lib/log.ts';
import type { MailViews } from '../../lib/mailViews.ts';
import { insertSignInToken } from './repo.ts';
import { LINK_MINUTES } from './rules.ts';
import { type SignInMail, type SignInWish, signInWish } from './schema.ts';

/** No one waits for a link any longer than that, and requesting a new one takes a moment. */
const PATIENCE_SECONDS = 30 * 60;

export type SendDeps = {
  db: Db;
  cipher: Cipher;
  clock: Clock;
  log: Log;
  mailer: Mailer | undefined;
  mailViews: MailViews;
  appUrl: string;
};

/**
 * Sends a mail with a token made now; only its hash is kept. A mail that the server refuses for good is given up; other
 * errors are thrown (ClientError) and retried by the queue. A try with an unknown outcome may leave a mail that works.
 */
export async function sendSignInMail(deps: SendDeps, { mailId, askedAt, sealed }: SignInMail): Promise<void> {
  const { mailer, log } = deps;
  if (!mailer) return log.warn({ mailId }, 'sign-in mail dropped: no mail server is configured');
  if (new Date(askedAt) < secondsBefore(deps.clock, PATIENCE_SECONDS)) {
    return log.warn({ mailId }, 'sign-in mail dropped: it is too old');
  }
  const wish = signInWish.parse(JSON.parse(deps.cipher.decrypt(sealed, contextOf(mailId))));
  const url = `${deps.appUrl}/auth/confirm?token=${await newToken(deps, wish)}`;
  const body = deps.mailViews.render('signin', { url, minutes: LINK_MINUTES });
  try {
    await mailer.send({ to: wish.email, subject: 'Forenoon sign-in', ...body, id: mailId });
  } catch (err) {
    if (!(err instanceof ClientError) || err.kind !== 'permanent') throw err;
    log.warn({ err, mailId }, 'sign-in mail dropped: it was rejected');
  }
}

async function newToken({ db, clock }: SendDeps, { email, callbackUrl }: SignInWish): Promise<string> {
  const token = randomToken();
  const expiresAt = secondsAfter(clock, LINK_MINUTES * 60);
  await insertSignInToken(db, { tokenHash: hashToken(token), email, callbackUrl, createdAt: clock.now(), expiresAt });
  return token;
}

export function contextOf(mailId: string): string {
  return `sign-in mail ${mailId}`;
}
