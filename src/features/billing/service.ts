import { setTimeout as sleep } from 'node:timers/promises';
import { fromKnex } from 'pg-boss';
import { ClientError } from '../../clients/errors.ts';
import type { PaymentsClient, PriceFacts } from '../../clients/payments/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db, UserKey } from '../../lib/db.ts';
import { AppError, InvalidInput } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Queue } from '../../lib/queue.ts';
import { type Alerts, notify } from '../base/alerts/service.ts';
import { listSubscriptions } from './repo.ts';
import { findCurrentSubscription, mayStillCharge, PLAN_LIMITS, type PlanLimits, type Prices, planOf } from './rules.ts';
import { CANCEL_QUEUE, type CancelPayload, PLANS, type Plan, type Subscription } from './schema.ts';

export { insertClosedAccount } from './repo.ts';

export async function getLimits(deps: { db: Db }, { userId }: UserKey): Promise<PlanLimits> {
  return PLAN_LIMITS[planOf(await listSubscriptions(deps.db, userId))];
}

export type Payment = { plan: Plan; isPastDue: boolean };

/** The user's plan, and whether its last payment failed. */
export async function getPayment(deps: { db: Db }, { userId }: UserKey): Promise<Payment> {
  const subscriptions = await listSubscriptions(deps.db, userId);
  return { plan: planOf(subscriptions), isPastDue: findCurrentSubscription(subscriptions)?.status === 'past_due' };
}

type Provider = { payments: PaymentsClient | undefined; log: Log };

/** Ids of subscriptions. */
type Cancelled = { cancelled: string[]; left: string[] };

/**
 * Cancels at once, at the provider, everything the user pays for or may be charged for again; the rows follow the
 * provider's events. What couldn't be canceled now is in `left`, for {@link cancelLater}.
 */
export async function cancelSubscriptions(deps: Provider & { db: Db }, { userId }: UserKey): Promise<Cancelled> {
  const ended: Cancelled = { cancelled: [], left: [] };
  for (const subscriptionId of await listPayable(deps, { userId })) {
    ended[(await tryToCancel(deps, subscriptionId)) ? 'cancelled' : 'left'].push(subscriptionId);
  }
  return ended;
}

/** Ids of the subscriptions the user pays for, or may be charged for again. */
export async function listPayable(deps: { db: Db }, { userId }: UserKey): Promise<string[]> {
  const payable = (await listSubscriptions(deps.db, userId)).filter(mayStillCharge);
  return payable.map(({ subscriptionId }) => subscriptionId);
}

async function tryToCancel({ payments, log }: Provider, subscriptionId: string): Promise<boolean> {
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

/** Throws, and alerts the operator, until the provider has accepted it: the queue retries. */
export async function cancelNow(deps: Provider & { alerts: Alerts }, { subscriptionId }: CancelPayload): Promise<void> {
  if (await tryToCancel(deps, subscriptionId)) return;
  const about = { subscription: subscriptionId };
  notify(deps, { level: 'error', source: 'payments', kind: 'SUBSCRIPTION_NOT_CANCELLED', about });
  throw new Error('a subscription of an account that is gone is not cancelled yet');
}

export type CheckoutDeps = {
  db: Db;
  payments: PaymentsClient | undefined;
  prices: Prices;
  /** The service's own address, without a path: the provider sends people back to it. */
  appUrl: string;
};

const PAGE = '/settings/billing';

/**
 * URL of the checkout, or of the provider's page for a payer, as a second checkout would be a second subscription. Throws
 * AppError `PAYMENTS_NOT_CONFIGURED`, InvalidInput for a plan without a price, ClientError (service `payments`).
 */
export async function choosePlan(
  deps: CheckoutDeps,
  { user, plan }: { user: { id: string; email: string }; plan: Plan },
): Promise<{ url: string }> {
  const payments = requireClient(deps);
  const priceId = deps.prices[plan];
  if (!priceId) throw new InvalidInput('This plan can’t be bought here.', { plan: 'This plan can’t be bought here.' });
  const subscriptions = await listSubscriptions(deps.db, user.id);
  const current = findCurrentSubscription(subscriptions) ?? subscriptions.find(mayStillCharge);
  if (current?.customerId) return openPortal(deps, payments, current.customerId);
  const order = {
    userId: user.id,
    email: user.email,
    plan,
    priceId,
    successUrl: `${deps.appUrl}${PAGE}?checkout=success`,
    cancelUrl: `${deps.appUrl}${PAGE}?checkout=cancelled`,
  };
  const customerId = findCustomerId(subscriptions);
  try {
    return await payments.createCheckout({ ...order, customerId });
  } catch (err) {
    // The customer may have been deleted at the provider.
    if (!customerId || !(err instanceof ClientError) || err.code !== 'PAYMENT_NOT_FOUND') throw err;
    return await payments.createCheckout(order);
  }
}

/**
 * URL for invoices, card and cancellation. Throws AppError `PAYMENTS_NOT_CONFIGURED`, InvalidInput for a user who never
 * paid, ClientError (service `payments`).
 */
export async function manageBilling(deps: CheckoutDeps, { userId }: UserKey): Promise<{ url: string }> {
  const payments = requireClient(deps);
  const customerId = findCustomerId(await listSubscriptions(deps.db, userId));
  if (!customerId) throw new InvalidInput('There is nothing to manage yet: choose a plan first.');
  return openPortal(deps, payments, customerId);
}

function openPortal({ appUrl }: CheckoutDeps, payments: PaymentsClient, customerId: string) {
  return payments.createPortal({ customerId, returnUrl: `${appUrl}${PAGE}` });
}

/** The customer of the current subscription, else of the newest that has one. */
export function findCustomerId(subscriptions: readonly Subscription[]): string | undefined {
  const eventAt = ({ lastEventAt }: Subscription) => lastEventAt?.getTime() ?? 0;
  const newestFirst = subscriptions.toSorted((a, b) => eventAt(b) - eventAt(a));
  const known = [findCurrentSubscription(subscriptions), ...newestFirst];
  return known.find(each => each?.customerId)?.customerId ?? undefined;
}

function requireClient({ payments }: CheckoutDeps): PaymentsClient {
  if (payments) return payments;
  throw new AppError('PAYMENTS_NOT_CONFIGURED', 'No payment provider is set up here, so there are no plans to buy.');
}

export type PlanPrices = Partial<Record<Plan, PriceFacts>>;

type PriceDeps = { payments: PaymentsClient | undefined; prices: Prices; clock: Clock; log: Log };

const FRESH_MS = 3_600_000;
const FAILED_MS = 60_000;
const PATIENCE_MS = 1000;

/**
 * Asks the provider what the plans cost, at most once an hour per process. Until the prices are known, pages wait a
 * moment for the answer; none hangs or fails when the provider doesn't answer.
 */
export function createPlanPrices({ payments, prices, clock, log }: PriceDeps): () => Promise<PlanPrices> {
  let lastPrices: PlanPrices | undefined;
  let asking: Promise<void> | undefined;
  let againAt = 0;

  async function ask(client: PaymentsClient): Promise<void> {
    try {
      lastPrices = await readAll(client, prices);
      againAt = clock.now().getTime() + FRESH_MS;
    } catch (err) {
      log.warn({ err }, 'prices of the plans not read');
      againAt = clock.now().getTime() + FAILED_MS;
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (payments && clock.now().getTime() >= againAt) asking ??= ask(payments);
    if (asking && !lastPrices) await Promise.race([asking, sleep(PATIENCE_MS)]);
    return lastPrices ?? {};
  };
}

async function readAll(client: PaymentsClient, prices: Prices): Promise<PlanPrices> {
  const read = async (plan: Plan, priceId: string) => [plan, await client.readPrice(priceId)] as const;
  const found = await Promise.all(PLANS.flatMap(plan => (prices[plan] ? [read(plan, prices[plan])] : [])));
  return Object.fromEntries(found.filter(([, price]) => price !== undefined));
}
