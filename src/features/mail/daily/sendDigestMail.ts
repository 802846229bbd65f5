import type { Mailer } from '../../../clients/mailer/types.ts';
import type { Alerts } from '../../base/alerts/service.ts';
import { sendOnce } from '../../base/mailing/service.ts';
import { noteShown } from '../../promises/service.ts';
import type { DigestMailPayload } from '../../sync/schema.ts';
import { type PrepareDeps, prepareDigestMail } from './prepareDigestMail.ts';

export type DigestMailDeps = PrepareDeps & {
  alerts: Alerts;
  /** Undefined where the operator configured none. */
  mailer: Mailer | undefined;
};

/** Sends a day's mail once, if wanted. Throws ClientError while the server takes no mail, until it is too late. */
export async function sendDigestMail(deps: DigestMailDeps, payload: DigestMailPayload): Promise<void> {
  const { mailer } = deps;
  const toldUntil = deps.clock.now();
  const mail = mailer && (await prepareDigestMail(deps, payload));
  if (!mailer || !mail) return;
  const { userId, day, askedAt } = payload;
  await noteShown(deps.db, { userId });
  await sendOnce({ ...deps, mailer }, { userId, kind: 'digest', day, askedAt, toldUntil }, mail);
}
