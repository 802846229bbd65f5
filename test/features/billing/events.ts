import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';

/** What the vendor's own signer takes; no call is made with it. */
const signer = new Stripe('sk_test_unused').webhooks;

export const SECRET = 'whsec_test';
export const PRICES = { STARTER: 'price_starter', PRO: 'price_pro', ENTERPRISE: 'price_enterprise' };

/** Lead the service to a provider that is not there, unless `apiUrl` says where one is. */
export function paymentVariables(apiUrl: string): Record<string, string> {
  return {
    PAYMENT_SECRET_KEY: 'sk_test_1',
    PAYMENT_WEBHOOK_SECRET: SECRET,
    PAYMENT_STARTER_PRICE_ID: PRICES.STARTER,
    PAYMENT_PRO_PRICE_ID: PRICES.PRO,
    PAYMENT_ENTERPRISE_PRICE_ID: PRICES.ENTERPRISE,
    PAYMENT_API_URL: apiUrl,
  };
}

export type Envelope = { id: string; type: string; created: number; data: { object: object } };

export const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

export function eventOf(type: string, object: object, about: { id?: string; created?: number } = {}): Envelope {
  const { id = `evt_${randomBytes(8).toString('hex')}`, created = seconds(new Date()) } = about;
  return { id, type, created, data: { object }, ...{ object: 'event', api_version: '2026-10-28.endive' } };
}

export function signatureOf(payload: string, about: { secret?: string; timestamp?: number } = {}): string {
  return signer.generateTestHeaderString({ payload, secret: SECRET, ...about });
}

type About = { subscription: string; customer?: string; userId?: string | undefined; plan?: string };

/** As in the newest version of the vendor's interface: the period is on the items. */
export function subscriptionBody(
  about: About & { price?: string; status?: string; periodEnd?: number; cancelAt?: number | null },
) {
  const { subscription, customer = 'cus_1', userId, plan, price, status = 'active', periodEnd, cancelAt = null } = about;
  const item = { id: 'si_1', current_period_end: periodEnd, price: price && { id: price } };
  return {
    id: subscription,
    object: 'subscription',
    customer,
    status,
    metadata: { ...(userId && { userId }), ...(plan && { plan }) },
    cancel_at: cancelAt,
    cancel_at_period_end: cancelAt !== null,
    items: { object: 'list', data: [item] },
  };
}

/** The same before the vendor moved things. */
export function olderSubscriptionBody(about: About & { price: string; status?: string; periodEnd: number }) {
  const { subscription, customer = 'cus_1', userId, price, status = 'active', periodEnd } = about;
  return {
    id: subscription,
    object: 'subscription',
    customer,
    status,
    metadata: userId ? { userId } : {},
    current_period_end: periodEnd,
    cancel_at_period_end: false,
    items: { object: 'list', data: [{ id: 'si_1', plan: { id: price }, price: { id: price } }] },
    plan: { id: price },
  };
}

export function checkoutBody(about: About & { email?: string; mode?: string }) {
  const { subscription, customer = 'cus_1', userId, plan, email } = about;
  return {
    id: `cs_${subscription}`,
    object: 'checkout.session',
    mode: 'subscription',
    payment_status: 'paid',
    subscription,
    customer,
    client_reference_id: userId ?? null,
    metadata: plan ? { plan } : {},
    customer_details: { email: email ?? null },
  };
}

export function invoiceBody(about: About & { price?: string; periodEnd?: number; email?: string }) {
  const { subscription, customer = 'cus_1', userId, plan, price, periodEnd, email } = about;
  const metadata = { ...(userId && { userId }), ...(plan && { plan }) };
  const line = {
    id: 'il_1',
    period: { start: 1, end: periodEnd },
    pricing: price ? { type: 'price_details', price_details: { price } } : null,
  };
  return {
    id: `in_${subscription}`,
    object: 'invoice',
    customer,
    customer_email: email ?? null,
    parent: { type: 'subscription_details', subscription_details: { subscription, metadata } },
    lines: { object: 'list', data: [line] },
    ...{ amount_due: 2900, currency: 'eur', attempt_count: 2, next_payment_attempt: null },
  };
}

export function olderInvoiceBody(about: About & { price: string; periodEnd: number }) {
  const { subscription, customer = 'cus_1', price, periodEnd } = about;
  const line = { id: 'il_1', period: { start: 1, end: periodEnd }, price: { id: price }, plan: { id: price } };
  return { id: 'in_1', object: 'invoice', customer, subscription, lines: { data: [line] }, amount_due: 2900 };
}
