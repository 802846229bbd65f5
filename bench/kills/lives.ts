import {
  checkoutBody,
  type Envelope,
  eventOf,
  invoiceBody,
  olderInvoiceBody,
  olderSubscriptionBody,
  PRICES,
  subscriptionBody,
} from '../../test/features/billing/events.ts';

const DAY = 86_400;
const MONTH = 30 * DAY;
const ALL_PRICES = Object.values(PRICES);
const PLAN_OF = new Map(Object.entries(PRICES).map(([plan, price]) => [price, plan]));

type Random = () => number;

/** The same numbers for the same seed: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Everything a payer does in order: buys, renews, changes plan, fails to pay, cancels, buys again. The same life for the
 * same seed, whatever the user. Half of the events don't name the user, half have the older form.
 * @param start seconds since 1970
 */
export function lifeOf(payer: { userId: string; key: string; seed: number }, start: number, steps: number): Envelope[] {
  const { userId, key, seed } = payer;
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const customer = `cus_${key}`;
  const events: Envelope[] = [];
  const tell = (type: string, created: number, body: object) =>
    events.push(eventOf(type, body, { created, id: `evt_${key}_${events.length}` }));
  let at = start;
  let bought = 0;
  let current: { subscription: string; price: string; periodEnd: number; status: string } | undefined;

  const hint = () => (random() < 0.5 ? { userId } : {});
  const change = (created: number) => {
    if (!current) return;
    const about = { customer, ...current, ...hint() };
    const body = random() < 0.5 ? olderSubscriptionBody(about) : subscriptionBody(about);
    tell('customer.subscription.updated', created, body);
  };
  const invoice = (type: string, created: number) => {
    if (!current) return;
    const about = { customer, ...current };
    const body = random() < 0.5 ? olderInvoiceBody(about) : invoiceBody({ ...about, ...hint() });
    tell(type, created, body);
  };
  const buy = () => {
    const price = pick(ALL_PRICES);
    bought += 1;
    current = { subscription: `sub_${key}_${bought}`, price, periodEnd: at + MONTH, status: 'active' };
    const { subscription } = current;
    // All within one second, as the vendor has it.
    tell('checkout.session.completed', at, checkoutBody({ subscription, customer, userId, plan: PLAN_OF.get(price) ?? '' }));
    invoice('invoice.payment_succeeded', at);
    if (random() < 0.5) change(at);
  };
  const acts = {
    renew() {
      if (current) Object.assign(current, { periodEnd: current.periodEnd + MONTH, status: 'active' });
      change(at);
      invoice('invoice.payment_succeeded', at + 2);
    },
    switch() {
      if (current) current.price = pick(ALL_PRICES);
      change(at);
    },
    fail() {
      if (current) current.status = 'past_due';
      invoice('invoice.payment_failed', at);
      change(at + 1);
    },
    giveUp() {
      if (current) current.status = 'unpaid';
      change(at);
    },
    end() {
      if (!current) return;
      tell('customer.subscription.deleted', at, subscriptionBody({ customer, ...current, status: 'canceled' }));
      current = undefined;
    },
  };
  while (events.length < steps) {
    at += 10 + Math.floor(random() * DAY);
    if (!current) buy();
    else acts[pick(['renew', 'renew', 'switch', 'fail', 'giveUp', 'end'] as const)]();
  }
  return events;
}

/**
 * Two subscriptions of another product that is sold through the same account of the provider, one of which stays live:
 * of the payer's customer or of one with the same email address. None of these events must count.
 */
export function foreignLifeOf(payer: { email: string; key: string; seed: number }, start: number): Envelope[] {
  const { email, key, seed } = payer;
  const random = seeded(seed);
  const customer = random() < 0.5 ? `cus_${key}` : `cus_foreign_${key}`;
  const userId = random() < 0.5 ? undefined : `customer-${seed}`;
  const periodEnd = start + 2 * MONTH;
  return [1, 2].flatMap(number => {
    const subscription = `sub_foreign_${key}_${number}`;
    const about = { subscription, customer, price: 'price_of_another_product', userId, periodEnd };
    const bodies: [string, object][] = [
      ['checkout.session.completed', checkoutBody({ subscription, customer, email })],
      ['invoice.payment_succeeded', invoiceBody({ ...about, email })],
      ['customer.subscription.updated', subscriptionBody(about)],
      ['invoice.payment_failed', invoiceBody({ ...about, email })],
    ];
    if (number === 1) bodies.push(['customer.subscription.deleted', subscriptionBody({ ...about, status: 'canceled' })]);
    return bodies.map(([type, body]) => {
      const created = start + Math.floor(random() * MONTH);
      return eventOf(type, body, { created, id: `evt_${subscription}_${type}` });
    });
  });
}

/** Each at least once, a few up to five times, in an order of their own. */
export function shuffledWithRepeats<T>(events: readonly T[], random: Random): T[] {
  const all = events.flatMap(event => {
    const times = random() < 0.25 ? 2 + Math.floor(random() * 4) : 1;
    return Array.from({ length: times }, () => event);
  });
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}
