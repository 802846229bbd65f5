import { fromKnex } from 'pg-boss';
import { ClientError } from '../../clients/errors.ts';
import type { PaymentsClient } from '../../clients/payments/types.ts';
import type { Db } from '../../lib/db.ts';
import type { Log } from '../../lib/log.ts';
import type { Queue } from '../../lib/queue.ts';
import { type Alerts, notify } from '../base/alerts/service.ts';
import { listSubscriptions } from './repo.ts';
import { currentSubscription, mayStillCharge, PLAN_LIMITS, type PlanLimits, planOf } from './rules.ts';
import { CANCEL_QUEUE, type CancelPayload, type Plan } from './schema.ts';

export { deleteOldEvents, insertClosedAccount } from './repo.ts';

/** What the user's present plan includes. */
export async function getLimits(deps: { db: Db }, { userId }: { userId: string }): Promise<PlanLimits> {
  return PLAN_LIMITS[planOf(await listSubscriptions(deps.db, userId))];
}

export type Payment = { plan: Plan; isPastDue: boolean };

/** The user's plan, and whether its last payment failed. */
export async function getPayment(deps: { db: Db }, { userId }: { userId: string }): Promise<Payment> {
  const subscriptions = await listSubscriptions(deps.db, userId);
  return { plan: planOf(subscriptions), isPastDue: currentSubscription(subscriptions)?.status === 'past_due' };
}

type Provider = { payments: PaymentsClient | undefined; log: Log };
type CancelDeps = Provider & { db: Db };

/** Ids of subscriptions. */
type Cancelled = { cancelled: string[]; left: string[] };

/**
 * Cancels at once, at the provider, everything the user pays for or may be charged for again; the rows follow the
 * provider's events. What couldn't be canceled now is in `left`, for {@link cancelLater}.
 */
export async function cancelSubscriptions(deps: CancelDeps, { userId }: { userId: string }): Promise<Cancelled> {
  const ended: Cancelled = { cancelled: [], left: [] };
  for (const subscriptionId of await listPayable(deps, { userId })) {
    ended[(await isCancelled(deps, subscriptionId)) ? 'cancelled' : 'left'].push(subscriptionId);
  }
  return ended;
}

/** Ids of the subscriptions the user pays for, or may be charged for again. */
export async function listPayable(deps: { db: Db }, { userId }: { userId: string }): Promise<string[]> {
  const payable = (await listSubscriptions(deps.db, userId)).filter(mayStillCharge);
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
 * Has the queue cancel them, for as long as it takes. The job needs no user: a deleted account must not be charged any
 * further.
 * @param trx the transaction that this request is part of
 */
export async function cancelLater(deps: { queue: Queue }, trx: Db, subscriptionIds: string[]): Promise<void> {
  for (const subscriptionId of subscriptionIds) {
    const payload: CancelPayload = { subscriptionId };
    await deps.queue.send(CANCEL_QUEUE.name, payload, { db: fromKnex(trx) });
  }
}

/** The provider hasn't accepted the cancellation yet; the queue retries. */
class StillPaying extends Error {}

/** Throws, and alerts the operator, until the provider has accepted it. */
export async function cancelNow(deps: Provider & { alerts: Alerts }, { subscriptionId }: CancelPayload): Promise<void> {
  if (await isCancelled(deps, subscriptionId)) return;
  const about = { subscription: subscriptionId };
  notify(deps, { level: 'error', source: 'payments', kind: 'SUBSCRIPTION_NOT_CANCELLED', about });
  throw new StillPaying('a subscription of an account that is gone is not cancelled yet');
}
