import { ClientError } from '../../clients/errors.ts';
import type { Mail, Mailer } from '../../clients/mailer/types.ts';
import { secondsAfter } from '../../lib/clock.ts';
import { type Alerts, notify } from '../alerts/service.ts';
import type { DigestMailPayload } from '../sync/schema.ts';
import { claimMail, releaseMail, settleMail } from './repo.ts';
import { TOO_LATE_MS } from './rules.ts';
import { type WriteDeps, writeDigestMail } from './writeDigestMail.ts';

export type DigestMailDeps = WriteDeps & {
  alerts: Alerts;
  /** Undefined where the operator configured none. */
  mailer: Mailer | undefined;
};

/** Longer than a mail server is waited for. */
const CLAIM_SECONDS = 120;

/** Another worker is sending this mail, or died over it a moment ago: the queue asks again. */
class MailIsBeingSent extends Error {}

/**
 * Sends the digests of a day, once, to a user who wants them: asked again after a crash or by a second sync of the day
 * it does nothing. Only a crash after the server took the mail sends it twice, both times as the same message.
 * Throws ClientError while the server takes no mail, until that is too late.
 */
export async function sendDigestMail(deps: DigestMailDeps, payload: DigestMailPayload): Promise<void> {
  const { userId, day } = payload;
  const { mailer, clock } = deps;
  const mail = mailer && (await writeDigestMail(deps, payload));
  if (!mailer || !mail) return;
  const now = clock.now();
  const claim = await claimMail(deps.db, { userId, day }, { now, until: secondsAfter(clock, CLAIM_SECONDS) });
  if (claim.state === 'busy') throw new MailIsBeingSent('another worker sends this mail');
  if (claim.state === 'done') return;

  const claimed = { userId, messageId: claim.messageId };
  const loss = isTooLate(payload, now) ? 'TOO_LATE' : await deliver(deps, mailer, mail, claimed);
  await settleMail(deps.db, claimed, loss ? 'refused' : 'sent');
  if (!loss) return;
  notify(deps, { level: 'warn', source: 'mailer', kind: 'DIGEST_MAIL_NOT_SENT', about: { userId, code: loss } });
}

function isTooLate({ askedAt }: DigestMailPayload, now: Date): boolean {
  return now.getTime() - Date.parse(askedAt) > TOO_LATE_MS;
}

type Claimed = { userId: string; messageId: string };

/** Undefined once the server has taken it, a code when it never will. Throws, and lets others try, while that can help. */
async function deliver(deps: DigestMailDeps, mailer: Mailer, mail: Omit<Mail, 'id'>, claimed: Claimed) {
  try {
    await mailer.send({ ...mail, id: `digest-${claimed.messageId}` });
    return undefined;
  } catch (err) {
    if (err instanceof ClientError && err.kind === 'permanent') return err.code;
    await releaseMail(deps.db, claimed, deps.clock.now());
    throw err;
  }
}
