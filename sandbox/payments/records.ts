import { z } from 'zod';

/** Times are whole seconds since 1970, as the vendor's are. */
const customer = z.object({ id: z.string(), email: z.string(), createdAt: z.number() });

const subscription = z.object({
  id: z.string(),
  customerId: z.string(),
  priceId: z.string(),
  status: z.enum(['active', 'past_due', 'unpaid', 'canceled']),
  metadata: z.record(z.string(), z.string()),
  createdAt: z.number(),
  periodStart: z.number(),
  periodEnd: z.number(),
  endsWithPeriod: z.boolean(),
  /** The card will be declined at the next renewal. */
  failsNext: z.boolean(),
});

const checkout = z.object({
  id: z.string(),
  priceId: z.string(),
  customerId: z.string().nullable(),
  email: z.string(),
  userId: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  subscriptionMetadata: z.record(z.string(), z.string()),
  successUrl: z.string(),
  cancelUrl: z.string(),
  subscriptionId: z.string().nullable(),
  createdAt: z.number(),
});

const portal = z.object({ id: z.string(), customerId: z.string(), returnUrl: z.string(), createdAt: z.number() });

const event = z.object({
  id: z.string(),
  type: z.string(),
  createdAt: z.number(),
  object: z.record(z.string(), z.unknown()),
  tries: z.number(),
  /** The last answer: an HTTP status, 0 for none at all, null before the first try. */
  answer: z.number().nullable(),
  /** Milliseconds since 1970; null once it was accepted, or given up. */
  dueAt: z.number().nullable(),
});

/** What is stored, by the name of the list that it is in. */
export const storedEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('customers'), record: customer }),
  z.object({ kind: z.literal('subscriptions'), record: subscription }),
  z.object({ kind: z.literal('checkouts'), record: checkout }),
  z.object({ kind: z.literal('portals'), record: portal }),
  z.object({ kind: z.literal('events'), record: event }),
]);
export type StoredEntry = z.infer<typeof storedEntry>;

/** Everything that is stored. */
export const stored = z.object({
  customers: z.array(customer),
  subscriptions: z.array(subscription),
  checkouts: z.array(checkout),
  portals: z.array(portal),
  events: z.array(event),
});

export type Customer = z.infer<typeof customer>;
export type Subscription = z.infer<typeof subscription>;
export type Checkout = z.infer<typeof checkout>;
export type Portal = z.infer<typeof portal>;
export type Event = z.infer<typeof event>;
export type Stored = z.infer<typeof stored>;

/** A plan that can be bought; amounts in cents a month. */
export type Price = { id: string; productId: string; name: string; amount: number };

export const CURRENCY = 'eur';
