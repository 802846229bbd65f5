import type { PriceFacts } from '../../clients/payments/types.ts';
import { choosePlural, formatCount, formatMoney } from '../../lib/words.ts';
import { findCurrentSubscription, isHigher, PLAN_LIMITS, type PlanLimits, type Prices, planOf } from './rules.ts';
import { PLANS, type Plan, type Subscription } from './schema.ts';
import { findCustomerId, type PlanPrices } from './service.ts';

/** How much of a plan's limits is used at present. */
export type Usage = PlanLimits;

type BillingContext = {
  timezone: string;
  usage: Usage;
  isConfigured: boolean;
  prices: Prices;
  planPrices: PlanPrices;
  /** How the person returned from the checkout; undefined if they didn't come from there. */
  checkout: 'success' | 'cancelled' | undefined;
};

type Banner = { tone: 'ok' | 'warn'; title: string; text: string; link?: { href: string; label: string } };

export const PLAN_WORDS: Record<Plan, string> = { STARTER: 'Starter', PRO: 'Pro', ENTERPRISE: 'Enterprise' };

/** Data of the billing page: plans and payment state. */
export function presentBilling(subscriptions: readonly Subscription[], about: BillingContext) {
  const current = findCurrentSubscription(subscriptions);
  const plan = planOf(subscriptions);
  const isUnpaid = current?.status === 'past_due';
  return {
    title: current ? planTitle(current, plan, about) : `${PLAN_WORDS.STARTER}, free`,
    isWaiting: isWaiting(current, about),
    status: statusWords(current, subscriptions, about),
    isConfigured: about.isConfigured,
    canManage: about.isConfigured && findCustomerId(subscriptions) !== undefined,
    usage: presentUsage(plan, about.usage),
    banners: [returnBanner(current, about), isUnpaid && failedPaymentBanner(plan)].filter(Boolean),
    plans: PLANS.map(name => presentPlan(name, { ...about, plan, current, isWaiting: isWaiting(current, about) })),
    hasPrices: Object.keys(about.planPrices).length > 0,
    after: current && plan !== 'STARTER' ? PLAN_WORDS[plan] : undefined,
  };
}

/** The plan with its price, which is left out for a subscription at another price than the one set now. */
function planTitle({ priceId }: Subscription, plan: Plan, { prices, planPrices }: BillingContext): string {
  const cost = priceId === prices[plan] ? costOf(planPrices[plan]) : undefined;
  return cost ? `${PLAN_WORDS[plan]}, ${cost.amount} ${cost.period}` : PLAN_WORDS[plan];
}

/** `€29` and `a month` */
function costOf(price: PriceFacts | undefined): { amount: string; period: string } | undefined {
  if (!price) return undefined;
  const { interval, intervalCount } = price;
  const period = intervalCount === 1 ? `a ${interval}` : `every ${formatCount(intervalCount)} ${interval}s`;
  return { amount: formatMoney(price, { trailingZeroDisplay: 'stripIfInteger' }), period };
}

function statusWords(
  current: Subscription | undefined,
  subscriptions: readonly Subscription[],
  { timezone }: BillingContext,
): string {
  if (!current) return endedWords(subscriptions);
  const { format: day } = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: timezone });
  const { status, endsAt, periodEnd } = current;
  if (endsAt) return `Ends on ${day(endsAt)} and won’t renew. After that you’re on Starter; your digests stay.`;
  if (status === 'past_due') return 'Past due.';
  if (status === 'trialing') return periodEnd ? `Free until ${day(periodEnd)}, then paid.` : 'Free for now.';
  return periodEnd ? `Paid until ${day(periodEnd)}, then renewed.` : 'Paid, and renewed automatically.';
}

function endedWords(subscriptions: readonly Subscription[]): string {
  const statuses = new Set(subscriptions.map(({ status }) => status));
  if (statuses.has('unpaid')) return 'The payments for your last plan didn’t go through, so it isn’t active.';
  if (statuses.has('incomplete')) return 'The first payment for the plan you chose hasn’t gone through yet.';
  if (statuses.has('canceled')) return 'Your last plan has ended. Your digests are all here.';
  return 'You’re on the free plan.';
}

/** The user has returned from the checkout, but no event has arrived yet. */
function isWaiting(current: Subscription | undefined, { checkout }: BillingContext): boolean {
  return checkout === 'success' && current === undefined;
}

/** Confirms only events that have arrived. */
function returnBanner(current: Subscription | undefined, { checkout }: BillingContext): Banner | undefined {
  if (checkout === 'cancelled') {
    return { tone: 'warn', title: 'Nothing was bought', text: 'You came back without paying, so nothing has changed.' };
  }
  if (checkout !== 'success') return undefined;
  if (current) {
    const title = `${PLAN_WORDS[current.plan ?? 'STARTER']} is your plan now`;
    return { tone: 'ok', title, text: 'It applies from the next sync on.' };
  }
  return {
    tone: 'warn',
    title: 'Waiting for the payment provider',
    text: 'This page shows your plan as soon as the payment is confirmed, usually within a minute.',
    link: { href: '/settings/billing', label: 'I didn’t pay' },
  };
}

/** The banner for a user whose last payment failed. */
export function failedPaymentBanner(plan: Plan) {
  const text = `You keep ${PLAN_WORDS[plan]} while the payment provider tries again. Check your card under Manage billing.`;
  return { tone: 'warn', title: 'The last payment didn’t go through', text } as const;
}

function presentUsage(plan: Plan, { conversationsPerDay: conversations, messengerAccounts: accounts }: Usage) {
  const limits = PLAN_LIMITS[plan];
  return [
    describeUsage(conversations, limits.conversationsPerDay, ['conversation today', 'conversations today']),
    describeUsage(accounts, limits.messengerAccounts, ['Telegram account', 'Telegram accounts']),
  ];
}

function describeUsage(used: number, limit: number, [one, many]: [one: string, many: string]) {
  if (!Number.isFinite(limit)) return { used: formatCount(used), words: choosePlural(used, one, many), bar: undefined };
  const words = `of ${formatCount(limit)} ${choosePlural(limit, one, many)}`;
  return { used: formatCount(used), words, bar: { value: used, max: limit } };
}

type PlanContext = Pick<BillingContext, 'prices' | 'planPrices'> & {
  plan: Plan;
  current: Subscription | undefined;
  isWaiting: boolean;
};

function presentPlan(name: Plan, { plan, current, isWaiting, prices, planPrices }: PlanContext) {
  const { conversationsPerDay, messengerAccounts } = PLAN_LIMITS[name];
  const conversations = Number.isFinite(conversationsPerDay)
    ? `${formatCount(conversationsPerDay)} conversations a day`
    : 'Unlimited conversations';
  const accounts = messengerAccounts === 1 ? 'One Telegram account' : `${messengerAccounts} Telegram accounts`;
  const isNow = name === plan;
  // Without a subscription, the free plan has the same limits; only payers see its price.
  const isFree = name === 'STARTER' && current?.plan !== 'STARTER';
  // Users who pay change plans at the provider; those who just paid are offered none, not even the free one.
  const canChoose = prices[name] && !isWaiting && !isNow && !isFree;
  const act = current
    ? { path: 'portal', label: `Change to ${PLAN_WORDS[name]}`, isMain: isHigher(name, plan) }
    : { path: 'checkout', label: `Choose ${PLAN_WORDS[name]}`, isMain: true };
  return {
    id: name,
    name: PLAN_WORDS[name],
    isNow,
    cost: isFree ? undefined : costOf(planPrices[name]),
    isFree,
    features: [conversations, accounts],
    act: canChoose ? act : undefined,
  };
}
