import { ClientError } from '../../clients/errors.ts';
import type {
  PaymentEvent,
  PaymentFailure,
  PaymentsClient,
  PaymentUpdate,
  SubscriptionFacts,
} from '../../clients/payments/types.ts';
import { type Db, isUuid } from '../../lib/db.ts';
import type { Log } from '../../lib/log.ts';
import type { Queued } from '../../lib/queue.ts';
import { formatMoney } from '../../lib/words.ts';
import { notify } from '../base/alerts/service.ts';
import { findEmail } from '../base/users/repo.ts';
import * as repo from './repo.ts';
import * as rules from './rules.ts';
import { cancelLater } from './service.ts';

export type PaymentEventDeps = AlertDeps &
  Queued & { log: Log; payments: Pick<PaymentsClient, 'readSubscription'>; prices: rules.Prices };

const OUT_OF_REACH = new Set(['PAYMENT_UNREACHABLE', 'TIMEOUT', 'PAYMENT_AUTH']);

/** An event about a subscription, with what it says. */
type UpdateEvent = Pick<PaymentEvent, 'id' | 'type' | 'createdAt'> & PaymentUpdate & { subscriptionId: string };

/** The provider's answer about the subscription; null before it was asked. */
type ProviderAnswer = { facts: SubscriptionFacts | undefined } | null;

/**
 * Applies an event once: its id is stored together with its effect. Event types that we don't handle, and events
 * without a subscription or of another product on the same account, are only logged. Throws whenever the event wasn't
 * applied, so that it is redelivered.
 */
export async function applyPaymentEvent(deps: PaymentEventDeps, { id, type, createdAt, news }: PaymentEvent): Promise<void> {
  if (!news) return deps.log.info({ type }, 'payment event ignored');
  const { subscriptionId } = news;
  if (subscriptionId === undefined) return deps.log.info({ type, eventId: id }, 'payment event without a subscription');
  if (await repo.isEventKnown(deps.db, id)) return;
  const event = { ...news, id, type, createdAt, subscriptionId };
  let applied = await storeEvent(deps, event, null);
  if (applied === 'ask') applied = await storeEvent(deps, event, await askProvider(deps, event));
  if (applied && applied !== 'ask') reportEvent(deps, applied, event);
}

/**
 * When the provider can't be reached at all, or refuses our key, an order that names its plan is applied as it is:
 * whoever has paid doesn't wait for that to be fixed. A temporary error is thrown, so that the event is redelivered.
 */
async function askProvider(deps: PaymentEventDeps, event: UpdateEvent): Promise<ProviderAnswer> {
  try {
    return { facts: await deps.payments.readSubscription(event.subscriptionId) };
  } catch (err) {
    const isOutOfReach = err instanceof ClientError && OUT_OF_REACH.has(err.code);
    if (!isOutOfReach || !rules.findBoughtPlan(event, deps.prices)) throw err;
    deps.log.warn({ err, eventId: event.id }, 'payment event applied without asking the provider');
    return { facts: undefined };
  }
}

/**
 * Stores an event with its effect. `ask`: the provider has to be asked first. Undefined for an event that changes nothing:
 * it is stored already, or of another product.
 */
async function storeEvent(
  deps: PaymentEventDeps,
  update: UpdateEvent,
  answer: ProviderAnswer,
): Promise<rules.AppliedEvent | 'ask' | undefined> {
  const { id, type, createdAt, customerId, subscriptionId, priceIds } = update;
  return await deps.db.transaction(async trx => {
    await repo.lockSubscription(trx, { customerId, subscriptionId });
    const before = await repo.findSubscriptionOfAllUsers(trx, subscriptionId);
    const combined = combineEvent(deps, update, answer);
    const userIds = [...update.userIds, ...(answer?.facts?.userIds ?? [])].filter(isUuid);
    const user = await findPayingUser(trx, { userIds, customerId: combined.customerId, email: update.email });
    const event = { ...combined, user };
    // The order names a user who has deleted their account.
    const isOfClosed = await repo.isAnyClosed(trx, userIds);
    const isOurs = before || event.bought || event.user?.isCertain || isOfClosed;
    if (!isOurs && (answer || priceIds.length > 0)) {
      deps.log.info({ type, eventId: id }, 'payment event of another product ignored');
      return undefined;
    }
    if (!answer && (!isOurs || rules.needsProviderAnswer(before, event))) return 'ask';
    const now = deps.clock.now();
    if (!(await repo.insertEvent(trx, { id, type, createdAt, receivedAt: now }))) return undefined;
    const after = rules.applyEvent(before, event);
    await repo.saveSubscription(trx, after, now);
    // Cancels the subscription of an account deleted meanwhile, so that it isn't charged.
    if (after.userId === null && isOfClosed && rules.mayStillCharge(after)) await cancelLater(deps, trx, [subscriptionId]);
    if (after.userId && after.customerId) {
      await repo.claimOfCustomer(trx, { userId: after.userId, customerId: after.customerId });
    }
    return { before, after, event };
  });
}

/** Combines an event with what the provider says at present, which takes precedence where it says something. */
function combineEvent({ prices }: PaymentEventDeps, update: UpdateEvent, answer: ProviderAnswer): rules.SubscriptionEvent {
  const facts = answer?.facts;
  return {
    createdAt: update.createdAt,
    kind: update.kind,
    subscriptionId: update.subscriptionId,
    customerId: update.customerId ?? facts?.customerId,
    user: undefined,
    bought: (facts && rules.findBoughtPlan(facts, prices)) ?? rules.findBoughtPlan(update, prices),
    status: facts?.status ?? update.status,
    // Null means that it renews.
    endsAt: facts?.endsAt === undefined ? update.endsAt : facts.endsAt,
    periodEnd: facts?.periodEnd ?? update.periodEnd,
    startedAt: facts?.startedAt ?? update.startedAt,
  };
}

function reportEvent(deps: PaymentEventDeps, applied: rules.AppliedEvent, { id, failure }: UpdateEvent): void {
  const { after, event } = applied;
  const about = { eventId: id, kind: event.kind, subscriptionId: after.subscriptionId };
  if (after.userId === null) deps.log.warn(about, 'payment event of an unknown customer');
  if (event.status && !event.bought) deps.log.warn(about, 'payment event for an unknown price');
  alertOperator(deps, applied, failure);
}

/** Payer: the user named by the order (certain), else by the provider's customer, else by email address. */
async function findPayingUser(
  db: Db,
  { userIds, customerId, email }: { userIds: string[]; customerId: string | undefined; email: string | undefined },
): Promise<{ id: string; isCertain: boolean } | undefined> {
  for (const id of userIds) if ((await findEmail(db, id)) !== undefined) return { id, isCertain: true };
  const byCustomer = customerId === undefined ? undefined : await repo.findUserOfCustomerOfAllUsers(db, customerId);
  const id = byCustomer ?? (email === undefined ? undefined : await repo.findUserByEmail(db, email));
  return id === undefined ? undefined : { id, isCertain: false };
}

type AlertDeps = Parameters<typeof notify>[0];
type LogFields = Record<string, string | number>;

/** Reports new subscriptions, upgrades, cancellations and failed payments. Ids, plans and amounts only. */
function alertOperator(
  deps: AlertDeps,
  { before, after, event }: rules.AppliedEvent,
  failure: PaymentFailure | undefined,
): void {
  const revenue = (kind: string, about: LogFields) =>
    notify(deps, { level: 'revenue', source: 'payments', kind, about: { ...ids, ...about } });
  const ids = { user: after.userId ?? 'unknown', subscription: after.subscriptionId };
  const plan = after.plan ?? 'unknown';

  if (event.kind === 'checkoutCompleted') revenue('SUBSCRIPTION_STARTED', { plan });
  if (event.kind === 'subscriptionDeleted') revenue('SUBSCRIPTION_CANCELLED', { plan: before?.plan ?? 'unknown' });
  if (event.kind === 'paymentFailed') revenue('PAYMENT_FAILED', { plan, ...describeFailure(failure) });
  if (event.kind !== 'subscriptionUpdated' || !before?.plan || !rules.isLive(after)) return;
  if (!before.endsAt && after.endsAt) revenue('SUBSCRIPTION_ENDS', { plan, on: after.endsAt.toISOString() });
  if (rules.isHigher(after.plan, before.plan)) revenue('SUBSCRIPTION_UPGRADED', { from: before.plan, to: plan });
}

function describeFailure(failure: PaymentFailure | undefined): LogFields {
  if (!failure) return {};
  const { amountDue, currency, attempt, nextTryAt } = failure;
  return { amount: formatMoney({ amount: amountDue, currency }), attempt, nextTry: nextTryAt?.toISOString() ?? 'none' };
}
