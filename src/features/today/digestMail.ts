import { ClientError } from '../../clients/errors.ts';
import type { Mailer } from '../../clients/mailer/types.ts';
import { secondsAfter } from '../../lib/clock.ts';
import { type Alerts, notify } from '../alerts/service.ts';
import type { DigestMailPayload } from '../sync/schema.ts';
import { claimMail, releaseMail, settleMail } from './digestMailRepo.ts';
import { TOO_LATE_MS } from './digestMailRules.ts';
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
  try {
    await mailer.send({ ...mail, id: `digest-${claim.messageId}` });
    await settleMail(deps.db, claimed, 'sent');
  } catch (err) {
    const code = lossOf(err, payload, now);
    if (code === undefined) {
      await releaseMail(deps.db, claimed, clock.now());
      throw err;
    }
    await settleMail(deps.db, claimed, 'refused');
    notify(deps, { level: 'warn', source: 'mailer', kind: 'DIGEST_MAIL_NOT_SENT', about: { userId, code } });
  }
}

/** Why the mail is given up: the server will never take it, or not in time. Undefined while trying again can help. */
function lossOf(err: unknown, { askedAt }: DigestMailPayload, now: Date): string | undefined {
  if (!(err instanceof ClientError)) return undefined;
  const isLost = err.kind === 'permanent' || now.getTime() - Date.parse(askedAt) > TOO_LATE_MS;
  return isLost ? err.code : undefined;
}
