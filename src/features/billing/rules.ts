import type { PaymentUpdate, SubscriptionFacts } from '../../clients/payments/types.ts';
import { PLANS, type Plan, planName, type Subscription } from './schema.ts';

/** Conversations digested per day, and messenger accounts connected at the same time. */
export type PlanLimits = { conversationsPerDay: number; messengerAccounts: number };

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  STARTER: { conversationsPerDay: 300, messengerAccounts: 1 },
  PRO: { conversationsPerDay: 1000, messengerAccounts: 3 },
  ENTERPRISE: { conversationsPerDay: Number.POSITIVE_INFINITY, messengerAccounts: 10 },
};

const LIVE = new Set(['active', 'trialing', 'past_due']);

/** A live subscription gives its user a paid plan. Past due keeps its plan; unpaid and canceled don't. */
export function isLive({ status }: Pick<Subscription, 'status'>): boolean {
  return status !== null && LIVE.has(status);
}

export const OVER_STATUSES = ['canceled', 'incomplete_expired'];

/** An unpaid or paused subscription may become active again. */
export const mayBeResumed = ({ status }: Pick<Subscription, 'status'>) => status === 'unpaid' || status === 'paused';

/** Whether the provider may still charge for it, as for one that may be resumed. */
export function mayStillCharge({ status }: Pick<Subscription, 'status'>): boolean {
  return status === null || !OVER_STATUSES.includes(status);
}

/** The live subscription that was started last, which is the customer's latest decision. An unknown plan comes last. */
export function findCurrentSubscription(subscriptions: readonly Subscription[]): Subscription | undefined {
  return subscriptions.filter(isLive).sort(byStart)[0];
}

function byStart(a: Subscription, b: Subscription): number {
  if ((a.plan === null) !== (b.plan === null)) return a.plan === null ? 1 : -1;
  return (b.startedAt?.getTime() ?? 0) - (a.startedAt?.getTime() ?? 0) || rank(b.plan) - rank(a.plan);
}

/** STARTER is the plan of everyone without a live subscription. */
export function planOf(subscriptions: readonly Subscription[]): Plan {
  return findCurrentSubscription(subscriptions)?.plan ?? 'STARTER';
}

const rank = (plan: Plan | null): number => (plan === null ? -1 : PLANS.indexOf(plan));

export function isHigher(plan: Plan | null, than: Plan | null): boolean {
  return rank(plan) > rank(than);
}

/** Price ids of the three plans, as far as the operator set them. */
export type Prices = Partial<Record<Plan, string | undefined>>;

/** The highest plan whose price is among `priceIds`, else the one that the order names. */
export function findBoughtPlan(
  { priceIds, planName: name }: Pick<SubscriptionFacts, 'priceIds' | 'planName'>,
  prices: Prices,
): { plan: Plan; priceId: string | null } | undefined {
  for (const plan of PLANS.toReversed()) {
    const priceId = prices[plan];
    if (priceId !== undefined && priceIds.includes(priceId)) return { plan, priceId };
  }
  const { data: named } = planName.safeParse(name);
  return named && { plan: named, priceId: priceIds[0] ?? null };
}

/** A provider's event with its user and the plan it is about, as far as they were found. */
export type SubscriptionEvent = {
  createdAt: Date;
  kind: PaymentUpdate['kind'];
  subscriptionId: string;
  customerId: string | undefined;
  user: { id: string; isCertain: boolean } | undefined;
  bought: { plan: Plan; priceId: string | null } | undefined;
  status: string | undefined;
  endsAt: Date | null | undefined;
  periodEnd: Date | undefined;
  startedAt: Date | undefined;
};

export type AppliedEvent = { before: Subscription | undefined; after: Subscription; event: SubscriptionEvent };

/** The order in which events of the same second come about. */
const ORDER: Record<SubscriptionEvent['kind'], number> = {
  checkoutCompleted: 1,
  paymentSucceeded: 2,
  paymentFailed: 2,
  subscriptionUpdated: 3,
  subscriptionDeleted: 4,
};

/**
 * Applies an event to a subscription. Plan, status and period each keep the value of the newest event about them, so
 * that the outcome is the same in whatever order, and however often, the events arrive.
 */
export function applyEvent(state: Subscription | undefined, event: SubscriptionEvent): Subscription {
  const before = state ?? unknownSubscription(event.subscriptionId);
  const common = { ...before, ...chooseUser(before, event), ...datesAfter(before, event) };
  const customerId = event.customerId ?? before.customerId;
  if (event.kind === 'paymentFailed') return { ...common, customerId };
  const isOver = event.kind === 'subscriptionDeleted';
  // A payment tells only of its own period. Of plan and status, an event of another kind tells more, even an older one.
  const isPayment = event.kind === 'paymentSucceeded';
  const mark = eventOrderKey(event, isPayment);
  const bought = isOver ? { plan: null, priceId: null } : event.bought;
  const status = isOver ? 'canceled' : event.status;
  let after: Subscription = { ...common, customerId };
  if (bought && mark >= before.planVersion) after = { ...after, ...bought, planVersion: mark };
  if (status && mark >= before.statusVersion) {
    after = { ...after, status, endsAt: event.endsAt ?? null, statusVersion: mark };
  }
  const periodVersion = eventOrderKey(event, false);
  const periodEnd = isOver ? null : event.periodEnd;
  // Of two payments in one second, the later period counts.
  const isEarlierPayment =
    isPayment && periodVersion === before.periodVersion && Number(periodEnd ?? 0) <= Number(before.periodEnd ?? 0);
  if (periodEnd !== undefined && periodVersion >= before.periodVersion && !isEarlierPayment) {
    after = { ...after, periodEnd, periodVersion };
  }
  return after;
}

/** Whether the event is incomplete, so that the provider must be asked. */
export function needsProviderAnswer(state: Subscription | undefined, event: SubscriptionEvent): boolean {
  if (event.kind === 'paymentFailed' || event.kind === 'subscriptionDeleted') return false;
  const isPlanKnown = event.bought || (event.kind === 'paymentSucceeded' && state?.plan);
  const isWhole = isPlanKnown && event.status && event.periodEnd;
  return !isWhole || isTie(state, event);
}

/** Whether the event contradicts one of the same second: their order is unknown then. */
function isTie(state: Subscription | undefined, event: SubscriptionEvent): boolean {
  if (!state || event.kind !== 'subscriptionUpdated' || state.statusVersion !== eventOrderKey(event, false)) return false;
  const { plan, status, periodEnd, endsAt } = applyEvent(state, event);
  const isSame = plan === state.plan && status === state.status;
  return !isSame || Number(periodEnd) !== Number(state.periodEnd) || Number(endsAt) !== Number(state.endsAt);
}

/** A key that sorts events by second, then by kind. With `isWeak`, it sorts below the keys of all other events. */
function eventOrderKey({ createdAt, kind }: SubscriptionEvent, isWeak: boolean): string {
  const second = String(Math.floor(createdAt.getTime() / 1000)).padStart(12, '0');
  return [isWeak ? 0 : 1, second, ORDER[kind]].join('.');
}

/** A user named by the order itself goes before one that a customer or an email address led to. */
function chooseUser({ userId }: Subscription, { user }: SubscriptionEvent) {
  const isBetter = user && (user.isCertain || userId === null);
  return isBetter ? { userId: user.id, userIsCertain: user.isCertain } : {};
}

function datesAfter({ startedAt, lastEventAt }: Subscription, event: SubscriptionEvent) {
  const started = [startedAt, event.startedAt ?? event.createdAt].filter(date => date !== null);
  const last = Math.max(lastEventAt?.getTime() ?? 0, event.createdAt.getTime());
  return { startedAt: new Date(Math.min(...started.map(date => date.getTime()))), lastEventAt: new Date(last) };
}

function unknownSubscription(subscriptionId: string): Subscription {
  return {
    subscriptionId,
    userId: null,
    userIsCertain: false,
    customerId: null,
    plan: null,
    priceId: null,
    planVersion: '',
    status: null,
    endsAt: null,
    statusVersion: '',
    periodEnd: null,
    periodVersion: '',
    startedAt: null,
    lastEventAt: null,
  };
}
