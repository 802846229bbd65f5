import { fromKnex } from 'pg-boss';
import { ClientError } from '../../clients/errors.ts';
import type { PaymentsClient } from '../../clients/payments/types.ts';
import type { Db } from '../../lib/db.ts';
import type { Log } from '../../lib/log.ts';
import type { Queue } from '../../lib/queue.ts';
import { type Alerts, notify } from '../alerts/service.ts';
import { listSubscriptions } from './repo.ts';
import { mayCostYet } from './rules.ts';
import { CANCEL_QUEUE, type CancelPayload } from './schema.ts';

type Provider = { payments: PaymentsClient | undefined; log: Log };
type Deps = Provider & { db: Db };

/** Ids of subscriptions. */
export type Cancelled = { cancelled: string[]; left: string[] };

/**
 * Ends everything the user pays for, or may be asked to pay for again, at once, at the provider; what becomes of the
 * rows is told by its events. `left` could not be ended now: {@link cancelLater} is for those.
 */
export async function cancelSubscriptions(deps: Deps, { userId }: { userId: string }): Promise<Cancelled> {
  const ended: Cancelled = { cancelled: [], left: [] };
  for (const subscriptionId of await listPayable(deps, { userId })) {
    ended[(await isCancelled(deps, subscriptionId)) ? 'cancelled' : 'left'].push(subscriptionId);
  }
  return ended;
}

/** Ids of what the user pays for, or may be asked to pay for again. */
export async function listPayable(deps: { db: Db }, { userId }: { userId: string }): Promise<string[]> {
  const payable = (await listSubscriptions(deps.db, userId)).filter(mayCostYet);
  return payable.map(({ subscriptionId }) => subscriptionId);
}

async function isCancelled({ payments, log }: Provider, subscriptionId: string): Promise<boolean> {
  try {
    await payments?.cancelSubscription(subscriptionId);
    return payments !== undefined;
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    log.warn({ err, subscriptionId }, 'subscription not cancelled');
    return false;
  }
}

/**
 * Lets the queue end them, for as long as it takes. It needs no user: a deleted account must not be charged any further.
 * @param trx in which they are asked for together with whatever else happens
 */
export async function cancelLater(deps: { queue: Queue }, trx: Db, subscriptionIds: string[]): Promise<void> {
  for (const subscriptionId of subscriptionIds) {
    const payload: CancelPayload = { subscriptionId };
    await deps.queue.send(CANCEL_QUEUE.name, payload, { db: fromKnex(trx) });
  }
}

/** The provider still can't be told; the queue comes back to it. */
class StillPaying extends Error {}

/** Throws, and alerts the operator, until the provider has accepted it. */
export async function cancelNow(deps: Provider & { alerts: Alerts }, { subscriptionId }: CancelPayload): Promise<void> {
  if (await isCancelled(deps, subscriptionId)) return;
  const about = { subscription: subscriptionId };
  notify(deps, { level: 'error', source: 'payments', kind: 'SUBSCRIPTION_NOT_CANCELLED', about });
  throw new StillPaying('a subscription of an account that is gone is not cancelled yet');
}
