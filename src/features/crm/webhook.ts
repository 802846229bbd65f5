import express, { type Request, Router } from 'express';
import type { CrmClient, WebhookRequest } from '../../clients/crm/types.ts';
import type { Counting } from '../../http/rateLimit.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { InvalidInput, TooManyRequests } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { logEvents } from './logEvents.ts';

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
