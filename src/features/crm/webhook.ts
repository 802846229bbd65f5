import express, { type Request, Router } from 'express';
import { z } from 'zod';
import type { CrmClient, WebhookRequest } from '../../clients/crm/types.ts';
import { SignatureRefused } from '../../clients/errors.ts';
import type { Counting } from '../../http/rateLimit.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { InvalidInput, TooManyRequests } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { countWebhook, insertWebhookEvents } from './repo.ts';
import type { WebhookEvent } from './schema.ts';

type Deps = {
  db: Db;
  clock: Clock;
  log: Log;
  crm: CrmClient | undefined;
  appUrl: string;
  limitFailures: Counting;
};

/** Accepts and logs what the CRM sends, and does nothing else with it. No session, no cookie: the signature counts. */
export function crmWebhook(deps: Deps): Router {
  const routes = Router();

  routes.post('/api/webhooks/crm', express.raw({ type: () => true, limit: '1mb' }), async (req, res) => {
    const limitUnsigned = () => deps.limitFailures(req, res);
    const outcome = await logEvents({ ...deps, limitUnsigned }, requestOf(deps, req)).catch(notLogged);
    if (outcome === 'accepted') return res.json({ received: true });
    throw outcome === 'unsigned'
      ? new InvalidInput('The signature is missing or wrong.', {}, 'SIGNATURE_INVALID')
      : new InvalidInput('The body is not an event or a list of events.', {}, 'MALFORMED_JSON');
  });

  return routes;
}

/** Answers with 500 whatever else the reason, so that the event is redelivered. */
function notLogged(cause: unknown): never {
  if (cause instanceof TooManyRequests) throw cause;
  throw new Error('a CRM event was not logged', { cause });
}

/** The address is the public one, whatever a proxy made of it. */
function requestOf({ appUrl }: Deps, req: Request): WebhookRequest {
  return {
    method: req.method,
    url: appUrl + req.originalUrl,
    rawBody: Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0),
    headers: req.headers,
  };
}

type LogDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'crm'> & {
  /** Throws TooManyRequests. */
  limitUnsigned(): Promise<void>;
};

/**
 * Stores the ids of signed events, never what a message says. Unsigned deliveries are only counted, so that strangers
 * can't fill the database: those that are refused, and all of them while nothing can be verified, because no CRM is
 * configured or only a key of one, which are accepted all the same.
 */
async function logEvents(deps: LogDeps, request: WebhookRequest): Promise<'accepted' | 'unsigned' | 'unreadable'> {
  const receivedAt = deps.clock.now();
  const verify = deps.crm?.verifyRequest;
  try {
    verify?.(request, receivedAt);
  } catch (err) {
    if (!(err instanceof SignatureRefused)) throw err;
    await deps.limitUnsigned();
    await countRefused(deps, err.message, receivedAt);
    return 'unsigned';
  }
  const isSigned = verify !== undefined;
  if (!isSigned) await deps.limitUnsigned();
  const events = readEvents(request.rawBody);
  if (!events) return 'unreadable';
  if (isSigned) await insertWebhookEvents(deps.db, events, { receivedAt });
  const isOneOfMany = !isSigned && (await countWebhook(deps.db, { column: 'unverified', receivedAt })) > 1;
  const types = [...new Set(events.map(({ type }) => type))].slice(0, 5);
  deps.log[isOneOfMany ? 'debug' : 'info']({ isSigned, events: events.length, types }, 'CRM webhook received');
  return 'accepted';
}

/** Logs one line an hour, as for what is not signed: strangers mustn't fill the log either. */
async function countRefused({ db, log }: Pick<Deps, 'db' | 'log'>, reason: string, receivedAt: Date): Promise<void> {
  const count = await countWebhook(db, { column: 'refused', receivedAt });
  if (count === 1) log.warn({ reason }, 'CRM webhook refused; further ones of this hour are only counted');
}

/** The most events that are kept from one request; the vendor sends up to 100 at once. */
const MOST_EVENTS = 100;

const word = z
  .union([z.string(), z.number()])
  .transform(value => String(value).replaceAll('\0', '').slice(0, 100))
  .catch('');

/** A channel's message has `type`; what an app subscribes to has `subscriptionType`. Nothing else of it is looked at. */
const event = z.looseObject({ type: word, subscriptionType: word, portalId: word, eventId: word }).transform(
  ({ type, subscriptionType, portalId, eventId }): WebhookEvent => ({
    type: type || subscriptionType || 'unknown',
    portalId,
    eventId,
  }),
);

const events = z.union([z.array(event).transform(list => list.slice(0, MOST_EVENTS)), event.transform(one => [one])]);

/** One event or a list of them; undefined for anything that is neither. */
function readEvents(body: Uint8Array): WebhookEvent[] | undefined {
  try {
    return events.safeParse(JSON.parse(Buffer.from(body).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
