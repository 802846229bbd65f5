import express, { type IRouter, type Request } from 'express';
import { z } from 'zod';
import type { CrmClient } from '../../clients/crm/types.ts';
import { SignatureRefused } from '../../clients/errors.ts';
import type { Counting } from '../../http/rateLimit.ts';
import { type Clock, onceAnHour } from '../../lib/clock.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';

type Deps = { clock: Clock; log: Log; crm: CrmClient | undefined; appUrl: string; limitFailures: Counting };

/**
 * Accepts and logs what the CRM sends, and does nothing else with it. No session, no cookie: the signature counts. While
 * none can be verified, because no CRM is configured or only a key of one, unsigned events are accepted all the same.
 */
export function crmWebhook(routes: IRouter, deps: Deps): void {
  // Strangers mustn't fill the log.
  const logUnsigned = onceAnHour(deps.clock, (message: string) =>
    deps.log.warn(`${message}; further ones of this hour are not logged`),
  );

  routes.post('/api/webhooks/crm', express.raw({ type: () => true, limit: '1mb' }), async (req, res) => {
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const signature = verifySignature(deps, req, body);
    if (signature !== 'right') await deps.limitFailures(req, res);
    if (signature === 'wrong') {
      logUnsigned('CRM webhook refused');
      throw new InvalidInput('The signature is missing or wrong.', {}, 'SIGNATURE_INVALID');
    }
    const events = parseEvents(body);
    if (!events) throw new InvalidInput('The body is not an event or a list of events.', {}, 'MALFORMED_JSON');
    if (signature === 'right') deps.log.info({ events: events.slice(0, MAX_LOGGED_EVENTS) }, 'CRM webhook received');
    else logUnsigned('CRM webhook received that nothing can verify');
    res.json({ received: true });
  });
}

function verifySignature({ crm, clock, appUrl }: Deps, req: Request, rawBody: Buffer): 'right' | 'wrong' | 'unknown' {
  if (!crm?.verifyRequest) return 'unknown';
  try {
    // The address is the public one, whatever a proxy made of it.
    crm.verifyRequest({ method: req.method, url: appUrl + req.originalUrl, rawBody, headers: req.headers }, clock.now());
    return 'right';
  } catch (err) {
    if (err instanceof SignatureRefused) return 'wrong';
    throw err;
  }
}

/** Limit per request; the vendor sends up to 100 events at once. */
const MAX_LOGGED_EVENTS = 100;

const word = z
  .union([z.string(), z.number()])
  .transform(value => String(value).slice(0, 100))
  .catch('');

/** A channel's message has `type`; what an app subscribes to has `subscriptionType`. Nothing else of it is looked at. */
const event = z
  .object({ type: word, subscriptionType: word, portalId: word, eventId: word })
  .transform(({ type, subscriptionType, ...ids }) => ({ type: type || subscriptionType || 'unknown', ...ids }));

const events = z.union([z.array(event), event.transform(one => [one])]);

/** Parses one event or a list; undefined for anything else. */
function parseEvents(body: Buffer) {
  try {
    return events.safeParse(JSON.parse(body.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
