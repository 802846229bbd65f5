import type { Db } from '../../lib/db.ts';
import { type Subscription, subscriptionRow } from './schema.ts';

export async function findSubscription(db: Db, userId: string): Promise<Subscription | undefined> {
  const row = await db('subscriptions').where({ user_id: userId }).first();
  return row && subscriptionRow.parse(row);
}
