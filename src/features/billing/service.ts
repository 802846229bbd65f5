import type { PaymentsClient } from '../../clients/payments/types.ts';
import { type Clock, secondsBefore } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { deleteOldEvents } from './eventRepo.ts';
import { listSubscriptions } from './repo.ts';
import { isLive, PLAN_LIMITS, type PlanLimits, planOf } from './rules.ts';

/** What the user's present plan includes. */
export async function getLimits(deps: { db: Db }, { userId }: { userId: string }): Promise<PlanLimits> {
  return PLAN_LIMITS[planOf(await listSubscriptions(deps.db, userId))];
}

/**
 * Ends everything the user pays for, at once, at the provider; what becomes of the rows is told by its events.
 * Throws ClientError (service `payments`) when one could not be ended.
 */
export async function cancelSubscriptions(
  deps: { db: Db; payments: PaymentsClient | undefined },
  { userId }: { userId: string },
): Promise<void> {
  const live = (await listSubscriptions(deps.db, userId)).filter(isLive);
  for (const { subscriptionId } of live) await deps.payments?.cancelSubscription(subscriptionId);
}

const EVENT_DAYS = 90;

/** Ids of events, and subscriptions that are over or nobody's, go after 90 days. @returns how many rows went */
export async function forgetOldEvents(deps: { db: Db; clock: Clock }): Promise<number> {
  return await deleteOldEvents(deps.db, secondsBefore(deps.clock, EVENT_DAYS * 86_400));
}
