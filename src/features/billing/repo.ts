import type { Db } from '../../lib/db.ts';
import { type Subscription, subscriptionRow } from './schema.ts';

/** Also those that are over. */
export async function listSubscriptions(db: Db, userId: string): Promise<Subscription[]> {
  const rows = await db('subscriptions').where({ user_id: userId }).orderBy('subscription_id');
  return rows.map(row => subscriptionRow.parse(row));
}

/** How many users pay, at any price. */
export async function countPayingUsers(db: Db): Promise<number> {
  const [row] = await db('subscriptions').where({ is_live: true }).countDistinct({ count: 'user_id' });
  return Number(row?.count ?? 0);
}

/** @returns whether the user has been told of and exists */
export async function findPayingUser(
  db: Db,
  hints: { userIds: string[]; customerId: string | undefined; email: string | undefined },
): Promise<{ id: string; isCertain: boolean } | undefined> {
  for (const id of hints.userIds) {
    if (await db('users').where({ id }).first('id')) return { id, isCertain: true };
  }
  const owner =
    hints.customerId !== undefined &&
    (await db('subscriptions')
      .where({ customer_id: hints.customerId })
      .whereNotNull('user_id')
      .orderBy([{ column: 'user_is_certain', order: 'desc' }, 'started_at'])
      .first('user_id'));
  if (owner) return { id: owner.user_id, isCertain: false };
  const user = hints.email !== undefined && (await db('users').where({ email: hints.email.toLowerCase() }).first('id'));
  return user ? { id: user.id, isCertain: false } : undefined;
}
