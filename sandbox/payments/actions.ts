import { checkoutBody, invoiceBody, subscriptionBody } from './bodies.ts';
import type { Checkout, Customer, Event, StoredEntry, Subscription } from './records.ts';
import type { PaymentsState } from './state.ts';

/** What an event says: its type, and the object it is about. */
type NewEvent = [type: string, object: Record<string, unknown>];

export type Actions = ReturnType<typeof createActions>;

/**
 * The actions of people at the provider, and their effects. Each is announced as events.
 * @param announce starts the deliveries of what was just stored
 */
export function createActions(state: PaymentsState, announce: () => void) {
  /** Stores the subscription, the events and what else was changed. */
  function happened(subscription: Subscription, events: NewEvent[], ...others: StoredEntry[]): void {
    const entries = events.map(([type, object]) => ({ kind: 'events' as const, record: newEvent(state, type, object) }));
    state.save(...others, { kind: 'subscriptions', record: subscription }, ...entries);
    announce();
  }
  const updated = (subscription: Subscription): NewEvent => [
    'customer.subscription.updated',
    subscriptionBody(state, subscription),
  ];

  return {
    /** Paying twice does not create a second subscription. */
    pay(checkout: Checkout): void {
      if (checkout.subscriptionId !== null) return;
      const subscription = newSubscription(state, checkout);
      checkout.customerId = subscription.customerId;
      checkout.subscriptionId = subscription.id;
      const events: NewEvent[] = [
        ['customer.subscription.created', subscriptionBody(state, subscription)],
        ['checkout.session.completed', checkoutBody(checkout, '')],
        ['invoice.payment_succeeded', invoice(state, subscription, true)],
      ];
      happened(subscription, events, { kind: 'checkouts', record: checkout });
    },
    changePlan(subscription: Subscription, priceId: string): void {
      if (!isAlive(subscription) || subscription.priceId === priceId) return;
      if (!state.prices.some(({ id }) => id === priceId)) return;
      subscription.priceId = priceId;
      happened(subscription, [updated(subscription)]);
    },
    endWithPeriod(subscription: Subscription, ends: boolean): void {
      if (!isAlive(subscription) || subscription.endsWithPeriod === ends) return;
      subscription.endsWithPeriod = ends;
      happened(subscription, [updated(subscription)]);
    },
    cancel(subscription: Subscription): void {
      if (!isAlive(subscription)) return;
      subscription.status = 'canceled';
      happened(subscription, [['customer.subscription.deleted', subscriptionBody(state, subscription)]]);
    },
    failNext(subscription: Subscription, fails: boolean): void {
      subscription.failsNext = fails;
      state.save({ kind: 'subscriptions', record: subscription });
    },
    /** Renews now, as if the period had ended. */
    renew(subscription: Subscription) {
      if (!isAlive(subscription)) return;
      if (subscription.endsWithPeriod) return this.cancel(subscription);
      if (subscription.failsNext) {
        subscription.failsNext = false;
        subscription.status = 'past_due';
        const failed = invoice(state, subscription, false);
        return happened(subscription, [['invoice.payment_failed', failed], updated(subscription)]);
      }
      subscription.status = 'active';
      subscription.periodStart = subscription.periodEnd;
      subscription.periodEnd = monthAfter(subscription.periodEnd);
      const paid = invoice(state, subscription, true);
      happened(subscription, [updated(subscription), ['invoice.payment_succeeded', paid]]);
    },
    /** The provider stops trying to collect. */
    giveUp(subscription: Subscription): void {
      if (subscription.status !== 'past_due') return;
      subscription.status = 'unpaid';
      happened(subscription, [updated(subscription)]);
    },
    deliverAgain(event: Event): void {
      event.dueAt = Date.now();
      state.save({ kind: 'events', record: event });
      announce();
    },
  };
}

export function isAlive({ status }: Subscription): boolean {
  return status !== 'canceled';
}

function newEvent(state: PaymentsState, type: string, object: Record<string, unknown>): Event {
  return { id: state.newId('evt'), type, createdAt: state.now(), object, tries: 0, answer: null, dueAt: Date.now() };
}

function newSubscription(state: PaymentsState, checkout: Checkout): Subscription {
  const now = state.now();
  return {
    id: state.newId('sub'),
    customerId: checkout.customerId ?? newCustomer(state, checkout.email).id,
    priceId: checkout.priceId,
    status: 'active',
    metadata: checkout.subscriptionMetadata,
    createdAt: now,
    periodStart: now,
    periodEnd: monthAfter(now),
    endsWithPeriod: false,
    failsNext: false,
  };
}

export function newCustomer(state: PaymentsState, email: string): Customer {
  const record = { id: state.newId('cus'), email, createdAt: state.now() };
  state.save({ kind: 'customers', record });
  return record;
}

function invoice(state: PaymentsState, subscription: Subscription, isPaid: boolean): Record<string, unknown> {
  const email = state.customers.find(({ id }) => id === subscription.customerId)?.email ?? '';
  const facts = { id: state.newId('in'), isPaid, attempt: 1, createdAt: state.now(), email };
  return invoiceBody(state, subscription, facts);
}

/** @param moment seconds since 1970 */
function monthAfter(moment: number): number {
  const date = new Date(moment * 1000);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + 1, 1);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  return date.getTime() / 1000;
}
