import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import { countWebhook, insertWebhookEvents } from './repo.ts';
import { readEvents, type SignedRequest, verifySignature } from './rules.ts';

type Deps = { db: Db; clock: Clock; log: Log; clientSecret: string | undefined };

/**
 * Stores the ids of signed events, never what a message says. Unsigned deliveries are only counted, so that strangers
 * can't fill the database: those that are refused, and all of them while no CRM is configured, which are accepted all
 * the same.
 */
export async function logEvents(deps: Deps, request: SignedRequest): Promise<'accepted' | 'unsigned' | 'unreadable'> {
  const receivedAt = deps.clock.now();
  const signature = verifySignature(request, { secret: deps.clientSecret, now: receivedAt });
  if (signature === 'missing' || signature === 'invalid') return refuse(deps, signature, receivedAt);
  const events = readEvents(request.body);
  if (!events) return 'unreadable';
  if (signature === 'valid') await insertWebhookEvents(deps.db, events, { receivedAt });
  const isOneOfMany = signature !== 'valid' && (await countWebhook(deps.db, { column: 'unverified', receivedAt })) > 1;
  const types = [...new Set(events.map(({ type }) => type))].slice(0, 5);
  deps.log[isOneOfMany ? 'debug' : 'info']({ signature, events: events.length, types }, 'CRM webhook received');
  return 'accepted';
}

/** Logs one line an hour, as for what is not signed: strangers mustn't fill the log either. */
async function refuse({ db, log }: Deps, signature: 'missing' | 'invalid', receivedAt: Date): Promise<'unsigned'> {
  const count = await countWebhook(db, { column: 'refused', receivedAt });
  if (count === 1) log.warn({ signature }, 'CRM webhook refused; further ones of this hour are only counted');
  return 'unsigned';
}
