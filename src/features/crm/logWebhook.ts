import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Log } from '../../lib/log.ts';
import { insertWebhookEvents } from './webhookRepo.ts';
import { readEvents, type SignedRequest, verifySignature } from './webhookRules.ts';

type Deps = { db: Db; clock: Clock; log: Log; clientSecret: string | undefined };

/**
 * Writes down what arrived and whether its signature held. Also what is refused is written down, as far as it can be
 * read; never what a message says.
 */
export async function logWebhook(deps: Deps, request: SignedRequest): Promise<'accepted' | 'unsigned' | 'unreadable'> {
  const receivedAt = deps.clock.now();
  const signature = verifySignature(request, { secret: deps.clientSecret, now: receivedAt });
  const isHeld = signature === 'valid' || signature === 'not_configured';
  const events = readEvents(request.body);
  await insertWebhookEvents(deps.db, events ?? [], { signature, receivedAt });
  const types = [...new Set(events?.map(({ type }) => type))].slice(0, 5);
  deps.log[isHeld ? 'info' : 'warn']({ signature, events: events?.length ?? 0, types }, 'CRM webhook received');
  if (!isHeld) return 'unsigned';
  return events ? 'accepted' : 'unreadable';
}
