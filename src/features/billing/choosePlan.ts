import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../clients/errors.ts';
import type { PaymentsClient, PriceFacts } from '../../clients/payments/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { AppError, InvalidInput } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { listSubscriptions } from './repo.ts';
import { currentSubscription, type Prices } from './rules.ts';
import { PLANS, type Plan, type Subscription } from './schema.ts';

export type CheckoutDeps = {
  db: Db;
  payments: PaymentsClient | undefined;
  prices: Prices;
  /** The service's own address, without a path: the provider sends people back to it. */
  appUrl: string;
};

const PAGE = '/settings/billing';

/**
 * Where the person goes to get this plan: to the checkout, or to the provider's own page when they already pay, since a
 * second checkout would be a second subscription. Throws AppError `PAYMENTS_NOT_CONFIGURED`, InvalidInput for a plan
 * without a price, ClientError (service `payments`).
 */
export async function choosePlan(
  deps: CheckoutDeps,
  { user, plan }: { user: { id: string; email: string }; plan: Plan },
): Promise<{ url: string }> {
  const payments = requireClient(deps);
  const priceId = deps.prices[plan];
  if (!priceId) throw new InvalidInput('This plan can’t be bought here.', { plan: 'This plan can’t be bought here.' });
  const subscriptions = await listSubscriptions(deps.db, user.id);
  const current = currentSubscription(subscriptions);
  if (current?.customerId) return portalOf(deps, payments, current.customerId);
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
 * Where the person sees invoices, changes the card and cancels. Throws AppError `PAYMENTS_NOT_CONFIGURED`, InvalidInput
 * for a user who never paid, ClientError (service `payments`).
 */
export async function manageBilling(deps: CheckoutDeps, { userId }: { userId: string }): Promise<{ url: string }> {
  const payments = requireClient(deps);
  const customerId = findCustomerId(await listSubscriptions(deps.db, userId));
  if (!customerId) throw new InvalidInput('There is nothing to manage yet: choose a plan first.');
  return portalOf(deps, payments, customerId);
}

function portalOf({ appUrl }: CheckoutDeps, payments: PaymentsClient, customerId: string) {
  return payments.createPortal({ customerId, returnUrl: `${appUrl}${PAGE}` });
}

/** Of the subscription that counts, else of the newest with a customer. */
export function findCustomerId(subscriptions: readonly Subscription[]): string | undefined {
  const known = [currentSubscription(subscriptions), ...subscriptions.toSorted(newestFirst)];
  return known.find(each => each?.customerId)?.customerId ?? undefined;
}

function newestFirst(a: Subscription, b: Subscription): number {
  return (b.lastEventAt?.getTime() ?? 0) - (a.lastEventAt?.getTime() ?? 0);
}

function requireClient({ payments }: CheckoutDeps): PaymentsClient {
  if (payments) return payments;
  throw new AppError('PAYMENTS_NOT_CONFIGURED', 'No payment provider is set up here, so there are no plans to buy.');
}

/** What the plans cost, as far as it is known. */
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
  let known: PlanPrices | undefined;
  let asking: Promise<void> | undefined;
  let againAt = 0;

  async function ask(client: PaymentsClient): Promise<void> {
    try {
      known = await readAll(client, prices);
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
    if (asking && !known) await Promise.race([asking, sleep(PATIENCE_MS)]);
    return known ?? {};
  };
}

async function readAll(client: PaymentsClient, prices: Prices): Promise<PlanPrices> {
  const read = async (plan: Plan, priceId: string) => [plan, await client.readPrice(priceId)] as const;
  const found = await Promise.all(PLANS.flatMap(plan => (prices[plan] ? [read(plan, prices[plan])] : [])));
  return Object.fromEntries(found.filter(([, price]) => price !== undefined));
}
