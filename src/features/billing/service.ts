import type { Db } from '../../lib/db.ts';
import { listSubscriptions } from './repo.ts';
import { currentSubscription, PLAN_LIMITS, type PlanLimits, planOf } from './rules.ts';
import type { Plan } from './schema.ts';

export { countPayingOfAllUsers, deleteOldEvents, insertClosedAccount } from './repo.ts';

/** What the user's present plan includes. */
export async function getLimits(deps: { db: Db }, { userId }: { userId: string }): Promise<PlanLimits> {
  return PLAN_LIMITS[planOf(await listSubscriptions(deps.db, userId))];
}

export type Payment = { plan: Plan; isPastDue: boolean };

/** The user's plan, and whether its last payment failed. */
export async function getPayment(deps: { db: Db }, { userId }: { userId: string }): Promise<Payment> {
  const subscriptions = await listSubscriptions(deps.db, userId);
  return { plan: planOf(subscriptions), isPastDue: currentSubscription(subscriptions)?.status === 'past_due' };
}
