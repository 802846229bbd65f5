import { type Checkout, CURRENCY, type Customer, type Event, type Price, type Subscription } from './records.ts';
import type { PaymentsState } from './state.ts';

/** The version of the vendor's API that these shapes have. */
const API_VERSION = '2026-10-28.endive';

type Body = Record<string, unknown>;

export function listBody(url: string, data: Body[]): Body {
  return { object: 'list', url, has_more: false, data };
}

export function customerBody({ id, email, createdAt }: Customer): Body {
  return { id, object: 'customer', email, created: createdAt, livemode: false, metadata: {}, name: null };
}

export function priceBody({ id, productId, amount }: Price): Body {
  return {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    currency: CURRENCY,
    livemode: false,
    metadata: {},
    product: productId,
    recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
    type: 'recurring',
    unit_amount: amount,
  };
}

export function productBody({ id, productId, name }: Price): Body {
  return {
    id: productId,
    object: 'product',
    active: true,
    default_price: id,
    livemode: false,
    metadata: {},
    name,
    type: 'service',
  };
}

export function subscriptionBody({ prices }: Pick<PaymentsState, 'prices'>, subscription: Subscription): Body {
  const { id, customerId, status, metadata, createdAt, periodStart, periodEnd, endsWithPeriod } = subscription;
  const price = prices.find(each => each.id === subscription.priceId);
  const item = {
    id: `si_${id.slice(4)}`,
    object: 'subscription_item',
    created: createdAt,
    current_period_start: periodStart,
    current_period_end: periodEnd,
    metadata: {},
    price: price && priceBody(price),
    quantity: 1,
    subscription: id,
  };
  return {
    id,
    object: 'subscription',
    cancel_at: endsWithPeriod ? periodEnd : null,
    cancel_at_period_end: endsWithPeriod,
    collection_method: 'charge_automatically',
    created: createdAt,
    currency: CURRENCY,
    customer: customerId,
    items: listBody(`/v1/subscription_items?subscription=${id}`, [item]),
    livemode: false,
    metadata,
    start_date: createdAt,
    status,
  };
}

export type InvoiceFacts = { id: string; isPaid: boolean; attempt: number; createdAt: number; email: string };

/** An invoice for the current period of the subscription. */
export function invoiceBody(
  { prices }: Pick<PaymentsState, 'prices'>,
  { id: subscriptionId, customerId, priceId, metadata, periodStart, periodEnd }: Subscription,
  { id, isPaid, attempt, createdAt, email }: InvoiceFacts,
): Body {
  const amount = prices.find(each => each.id === priceId)?.amount ?? 0;
  const line = {
    id: `il_${id.slice(3)}`,
    object: 'line_item',
    amount,
    currency: CURRENCY,
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { subscription: subscriptionId, proration: false },
    },
    period: { start: periodStart, end: periodEnd },
    pricing: { type: 'price_details', price_details: { price: priceId } },
  };
  return {
    id,
    object: 'invoice',
    amount_due: amount,
    amount_paid: isPaid ? amount : 0,
    attempt_count: attempt,
    created: createdAt,
    currency: CURRENCY,
    customer: customerId,
    customer_email: email,
    lines: listBody(`/v1/invoices/${id}/lines`, [line]),
    livemode: false,
    metadata: {},
    next_payment_attempt: isPaid ? null : createdAt + 3 * 86_400,
    parent: { type: 'subscription_details', subscription_details: { subscription: subscriptionId, metadata } },
    status: isPaid ? 'paid' : 'open',
  };
}

/** @param url of the page to pay on, while it is open */
export function checkoutBody(checkout: Checkout, url: string): Body {
  const { id, customerId, email, userId, metadata, successUrl, cancelUrl, subscriptionId, createdAt } = checkout;
  const isDone = subscriptionId !== null;
  return {
    id,
    object: 'checkout.session',
    cancel_url: cancelUrl,
    client_reference_id: userId,
    created: createdAt,
    customer: customerId,
    customer_details: { email },
    customer_email: email,
    livemode: false,
    metadata,
    mode: 'subscription',
    payment_status: isDone ? 'paid' : 'unpaid',
    status: isDone ? 'complete' : 'open',
    subscription: subscriptionId,
    success_url: successUrl,
    url: isDone ? null : url,
  };
}

export function eventBody({ id, type, createdAt, object }: Event): Body {
  return {
    id,
    object: 'event',
    api_version: API_VERSION,
    created: createdAt,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
