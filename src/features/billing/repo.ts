import { hashToken } from '../../lib/crypto.ts';
import { type Db, lockNamed } from '../../lib/db.ts';
import { type Subscription, subscriptionRow } from './schema.ts';

/** All of the user's subscriptions, including those that are over. */
export async function listSubscriptions(db: Db, userId: string): Promise<Subscription[]> {
  const rows = await db('subscriptions').where({ user_id: userId }).orderBy('subscription_id');
  return rows.map(row => subscriptionRow.parse(row));
}

export async function countPayingOfAllUsers(db: Db): Promise<number> {
  const [row] = await db('subscriptions').where({ is_live: true }).countDistinct({ count: 'user_id' });
  return Number(row?.count ?? 0);
}

export async function findUserByEmail(db: Db, email: string): Promise<string | undefined> {
  return (await db('users').where({ email: email.toLowerCase() }).first('id'))?.id;
}

/** Prefers a user named by an order over one found by customer or email address. */
export async function findUserOfCustomerOfAllUsers(db: Db, customerId: string): Promise<string | undefined> {
  const row = await db('subscriptions')
    .where({ customer_id: customerId })
    .whereNotNull('user_id')
    .orderBy([{ column: 'user_is_certain', order: 'desc' }, 'started_at'])
    .first('user_id');
  return row?.user_id;
}

/*
 * Events belong to the provider's account: they are read to find out whose they are. Each is processed in one
 * transaction, in which this customer and this subscription belong to no other user.
 */

/** Waits for others that work on the same customer or subscription. Held until the transaction ends. */
export async function lockSubscription(trx: Db, about: { customerId: string | undefined; subscriptionId: string }) {
  if (about.customerId) await lockNamed(trx, 'customer', about.customerId);
  await lockNamed(trx, 'subscription', about.subscriptionId);
}

export async function isEventKnown(db: Db, id: string): Promise<boolean> {
  return (await db('payment_events').where({ id }).first('id')) !== undefined;
}

/** Stores an event. Returns false if it was stored before. */
export async function insertEvent(trx: Db, event: { id: string; type: string; createdAt: Date; receivedAt: Date }) {
  const inserted = await trx('payment_events')
    .insert({ id: event.id, type: event.type, created_at: event.createdAt, received_at: event.receivedAt })
    .onConflict('id')
    .ignore()
    .returning('id');
  return inserted.length > 0;
}

export async function findSubscriptionOfAllUsers(db: Db, subscriptionId: string): Promise<Subscription | undefined> {
  const row = await db('subscriptions').where({ subscription_id: subscriptionId }).first();
  return row && subscriptionRow.parse(row);
}

export async function saveSubscription(trx: Db, state: Subscription, now: Date): Promise<void> {
  const row = { ...subscriptionRow.columns(state), updated_at: now };
  await trx('subscriptions').insert(row).onConflict('subscription_id').merge(row);
}

/** Assigns what came in for this customer before anybody could say whose it is. */
export async function claimOfCustomer(trx: Db, owner: { customerId: string; userId: string }): Promise<void> {
  await trx('subscriptions').where({ customer_id: owner.customerId }).whereNull('user_id').update({ user_id: owner.userId });
}

/** Lets a purchase completed later be recognized as belonging to a deleted account. */
export async function insertClosedAccount(trx: Db, account: { userId: string; closedAt: Date }): Promise<void> {
  await trx('closed_accounts')
    .insert({ account_hash: hashToken(account.userId), closed_at: account.closedAt })
    .onConflict('account_hash')
    .ignore();
}

/** Whether one of these users has deleted their account. */
export async function isAnyClosed(db: Db, userIds: readonly string[]): Promise<boolean> {
  return (await db('closed_accounts').whereIn('account_hash', userIds.map(hashToken)).first()) !== undefined;
}
