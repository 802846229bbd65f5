import { z } from 'zod';
import type { PaymentFailure, PriceFacts, SubscriptionFacts } from '../types.ts';

/*
 * What the provider sends, read leniently: accounts pin older versions of its API, where things are in other places.
 * https://docs.stripe.com/changelog (basil moved the period to the items, and the subscription into the invoice's parent)
 */

/** Postgres stores no NUL. */
export const storable = (longest: number) =>
  z
    .string()
    .transform(value => value.replaceAll('\0', ''))
    .pipe(z.string().min(1).max(longest));

const text = storable(500).optional().catch(undefined);
const count = z.number().int().optional().catch(undefined);
const seconds = z
  .number()
  .positive()
  .max(8e12 / 1000)
  .transform(value => new Date(value * 1000))
  .optional()
  .catch(undefined);
/** An id, or the whole object where it was expanded. */
const reference = z
  .union([storable(255), z.looseObject({ id: storable(255) }).transform(({ id }) => id)])
  .optional()
  .catch(undefined);
const stripeList = <T extends z.ZodType>(item: T) =>
  z
    .object({ data: z.array(item) })
    .transform(({ data }) => data)
    .catch([]);

const metadata = z.object({ userId: text, plan: text }).partial().catch({});

const item = z.object({ price: reference, plan: reference, current_period_end: seconds });

const subscription = z.object({
  id: reference,
  customer: reference,
  status: text,
  metadata,
  items: stripeList(item),
  plan: reference,
  current_period_end: seconds,
  cancel_at: seconds,
  cancel_at_period_end: z.boolean().optional().catch(undefined),
  created: seconds,
});

/** Throws ZodError when it is not an object. */
export function readSubscription(body: unknown): SubscriptionFacts {
  const parsed = subscription.parse(body);
  const periodEnd = findLatest(parsed.items.map(each => each.current_period_end)) ?? parsed.current_period_end;
  const hasEndFields = parsed.cancel_at_period_end !== undefined || parsed.cancel_at !== undefined;
  const endsAt = parsed.cancel_at ?? (parsed.cancel_at_period_end ? periodEnd : undefined) ?? null;
  return {
    subscriptionId: parsed.id,
    customerId: parsed.customer,
    userIds: listDefined([parsed.metadata.userId]),
    priceIds: listDefined([...parsed.items.map(({ price, plan }) => price ?? plan), parsed.plan]),
    planName: parsed.metadata.plan,
    status: parsed.status,
    periodEnd,
    endsAt: hasEndFields ? endsAt : undefined,
    startedAt: parsed.created,
  };
}

/** A plan's price. A tiered price or a one-time price isn't one. */
const price = z
  .object({
    unit_amount: z.number().int().min(0),
    currency: z.string().regex(/^[a-z]{3}$/),
    recurring: z.object({
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: z.number().int().min(1).catch(1),
    }),
  })
  .transform(
    ({ unit_amount, currency, recurring }): PriceFacts => ({
      amount: unit_amount,
      currency,
      interval: recurring.interval,
      intervalCount: recurring.interval_count,
    }),
  );

/** Undefined for anything but a plan's price. */
export function readPrice(body: unknown): PriceFacts | undefined {
  return price.safeParse(body).data;
}

const checkout = z.object({
  subscription: reference,
  customer: reference,
  client_reference_id: text,
  metadata,
  customer_email: text,
  customer_details: z.object({ email: text }).catch({ email: undefined }),
  payment_status: text,
});

/** A finished checkout names neither price nor period. */
export function readCheckout(body: unknown): SubscriptionFacts {
  const parsed = checkout.parse(body);
  return {
    subscriptionId: parsed.subscription,
    customerId: parsed.customer,
    userIds: listDefined([parsed.client_reference_id, parsed.metadata.userId]),
    email: parsed.customer_details.email ?? parsed.customer_email,
    priceIds: [],
    planName: parsed.metadata.plan,
    status: parsed.payment_status === 'unpaid' ? 'incomplete' : 'active',
  };
}

const line = z
  .object({
    period: z.object({ end: seconds }).catch({ end: undefined }),
    pricing: z
      .object({ price_details: z.object({ price: reference }) })
      .optional()
      .catch(undefined),
    price: reference,
    plan: reference,
    proration: z.boolean().optional().catch(undefined),
    parent: z
      .object({ subscription_item_details: z.object({ proration: z.boolean().optional().catch(undefined) }) })
      .optional()
      .catch(undefined),
  })
  .transform(({ period, pricing, price, plan, proration, parent }) => ({
    end: period.end,
    priceId: pricing?.price_details.price ?? price ?? plan,
    isProration: proration ?? parent?.subscription_item_details.proration ?? false,
  }));

const details = z.object({ subscription: reference, metadata }).optional().catch(undefined);

const invoice = z.object({
  subscription: reference,
  subscription_details: details,
  parent: z.object({ subscription_details: details }).optional().catch(undefined),
  customer: reference,
  customer_email: text,
  metadata,
  lines: stripeList(line),
  amount_due: count,
  currency: text,
  attempt_count: count,
  next_payment_attempt: seconds,
});

/** @param isPaid whether the invoice was paid, which is all it says about the subscription's status */
export function readInvoice(
  body: unknown,
  { isPaid }: { isPaid: boolean },
): { facts: SubscriptionFacts; failure: PaymentFailure } {
  const parsed = invoice.parse(body);
  const subscriptionDetails = parsed.parent?.subscription_details ?? parsed.subscription_details;
  // A line that prorates a change names the earlier price, too.
  const whole = parsed.lines.filter(({ isProration }) => !isProration);
  const lines = whole.length > 0 ? whole : parsed.lines;
  const facts = {
    subscriptionId: subscriptionDetails?.subscription ?? parsed.subscription,
    customerId: parsed.customer,
    userIds: listDefined([subscriptionDetails?.metadata.userId, parsed.metadata.userId]),
    email: parsed.customer_email,
    priceIds: listDefined(lines.map(({ priceId }) => priceId)),
    planName: subscriptionDetails?.metadata.plan ?? parsed.metadata.plan,
    status: isPaid ? 'active' : undefined,
    periodEnd: isPaid ? findLatest(lines.map(({ end }) => end)) : undefined,
  };
  const failure = {
    amountDue: parsed.amount_due ?? 0,
    currency: parsed.currency ?? '',
    attempt: parsed.attempt_count ?? 0,
    nextTryAt: parsed.next_payment_attempt,
  };
  return { facts, failure };
}

function listDefined<T>(values: (T | undefined)[]): T[] {
  return values.filter(value => value !== undefined);
}

function findLatest(moments: (Date | undefined)[]): Date | undefined {
  const times = listDefined(moments).map(moment => moment.getTime());
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}
