import { ClientError } from '../../clients/errors.ts';
import type { PaymentsClient } from '../../clients/payments/types.ts';
import type { Db } from '../../lib/db.ts';
import { AppError, InvalidInput } from '../../lib/errors.ts';
import { listSubscriptions } from './repo.ts';
import { currentSubscription, type Prices } from './rules.ts';
import type { Plan, Subscription } from './schema.ts';

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
