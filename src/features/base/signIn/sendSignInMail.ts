import { ClientError } from '../../../clients/errors.ts';
import type { Mailer } from '../../../clients/mailer/types.ts';
import { type Clock, secondsBefore } from '../../../lib/clock.ts';
import type { Cipher } from '../../../lib/crypto.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { MailViews } from '../../../lib/mailViews.ts';
import { isAdmitted } from '../users/rules.ts';
import { makeSignInLink } from './makeSignInLink.ts';
import { LINK_MINUTES } from './rules.ts';
import { type SignInMail, signInWish } from './schema.ts';

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

export function contextOf(mailId: string): string {
  return `sign-in mail ${mailId}`;
}
