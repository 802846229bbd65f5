import type { Plan, Subscription } from './schema.ts';

/** Conversations digested a day, and messenger accounts connected at the same time. */
export type PlanLimits = { conversationsPerDay: number; messengerAccounts: number };

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  STARTER: { conversationsPerDay: 300, messengerAccounts: 1 },
  PRO: { conversationsPerDay: 1000, messengerAccounts: 3 },
  ENTERPRISE: { conversationsPerDay: Number.POSITIVE_INFINITY, messengerAccounts: 10 },
};

/** STARTER is the plan of everyone without a live subscription. */
export function planOf(subscription: Subscription | undefined): Plan {
  return subscription?.isLive ? subscription.plan : 'STARTER';
}
