import type { Db } from '../../lib/db.ts';
import { findSubscription } from './repo.ts';
import { PLAN_LIMITS, type PlanLimits, planOf } from './rules.ts';

/** What the user's present plan includes. */
export async function getLimits(deps: { db: Db }, { userId }: { userId: string }): Promise<PlanLimits> {
  return PLAN_LIMITS[planOf(await findSubscription(deps.db, userId))];
}
