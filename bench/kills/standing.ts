import { listSubscriptions } from '../../src/features/billing/repo.ts';
import { findCurrentSubscription, planOf } from '../../src/features/billing/rules.ts';
import { listPayable } from '../../src/features/billing/service.ts';
import type { Db } from '../../src/lib/db.ts';

/** The plan a user ends up with, and each of their subscriptions by start. */
export async function standingOf(db: Db, userId: string): Promise<object> {
  const subscriptions = await listSubscriptions(db, userId);
  return {
    plan: planOf(subscriptions),
    periodEnd: findCurrentSubscription(subscriptions)?.periodEnd?.toISOString(),
    each: subscriptions
      .toSorted((a, b) => Number(a.startedAt) - Number(b.startedAt))
      .map(({ plan, status, periodEnd, customerId }) => [plan, status, periodEnd?.toISOString(), customerId !== null]),
  };
}

/** What would be canceled with these users' accounts, and everything stored, of another product than ours. */
export async function listForeign(db: Db, userIds: readonly string[]): Promise<string[]> {
  const payable = await Promise.all(userIds.map(userId => listPayable({ db }, { userId })));
  const stored = (await db('subscriptions').select('subscription_id')).map(row => row.subscription_id);
  return [...payable.flat(), ...stored].filter(id => id.startsWith('sub_foreign_'));
}

/** One user for each address. */
export async function addUsers(db: Db, addresses: readonly string[]): Promise<string[]> {
  const rows = await db('users')
    .insert(addresses.map(email => ({ email })))
    .returning('id');
  return rows.map(({ id }) => id);
}
