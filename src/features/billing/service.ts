import { type Clock, secondsBefore } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { deleteOldEvents, listSubscriptions } from './repo.ts';
import { currentOf, PLAN_LIMITS, type PlanLimits, planOf } from './rules.ts';
import type { Plan } from './schema.ts';

/** What the user's present plan includes. */
export async function getLimits(deps: { db: Db }, { userId }: { userId: string }): Promise<PlanLimits> {
  return PLAN_LIMITS[planOf(await listSubscriptions(deps.db, userId))];
}

export type Payment = { plan: Plan; isPastDue: boolean };

/** The user's plan, and whether its last payment failed. */
export async function getPayment(deps: { db: Db }, { userId }: { userId: string }): Promise<Payment> {
  const subscriptions = await listSubscriptions(deps.db, userId);
  return { plan: planOf(subscriptions), isPastDue: currentOf(subscriptions)?.status === 'past_due' };
}

export const EVENT_DAYS = 90;
/** In one statement, so that none holds its locks for long. */
const AT_ONCE = 1000;

/**
 * Ids of events, and subscriptions that are over or nobody's, go after 90 days.
 * @returns how many rows went, `limit` of each at the most
 */
export async function forgetOldEvents(deps: { db: Db; clock: Clock }, { limit = AT_ONCE } = {}): Promise<number> {
  return await deleteOldEvents(deps.db, { before: secondsBefore(deps.clock, EVENT_DAYS * 86_400), limit });
}
