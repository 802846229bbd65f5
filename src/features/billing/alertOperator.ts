import type { PaymentFailure } from '../../clients/payments/types.ts';
import { moneyWords } from '../../lib/words.ts';
import { notify } from '../base/alerts/service.ts';
import { isHigher, isLive, type Taken } from './rules.ts';

export type AlertDeps = Parameters<typeof notify>[0];
type About = Record<string, string | number>;

/** Reports new subscriptions, upgrades, cancellations and failed payments. Ids, plans and amounts only. */
export function alertOperator(
  deps: AlertDeps,
  { before, after, event }: Taken,
  failure: PaymentFailure | undefined,
): void {
  const revenue = (kind: string, about: About) =>
    notify(deps, { level: 'revenue', source: 'payments', kind, about: { ...ids, ...about } });
  const ids = { user: after.userId ?? 'unknown', subscription: after.subscriptionId };
  const plan = after.plan ?? 'unknown';

  if (event.kind === 'checkoutCompleted') revenue('SUBSCRIPTION_STARTED', { plan });
  if (event.kind === 'subscriptionDeleted') revenue('SUBSCRIPTION_CANCELLED', { plan: before?.plan ?? 'unknown' });
  if (event.kind === 'paymentFailed') revenue('PAYMENT_FAILED', { plan, ...inWords(failure) });
  if (event.kind !== 'subscriptionUpdated' || !before?.plan || !isLive(after)) return;
  if (!before.endsAt && after.endsAt) revenue('SUBSCRIPTION_ENDS', { plan, on: after.endsAt.toISOString() });
  if (isHigher(after.plan, before.plan)) revenue('SUBSCRIPTION_UPGRADED', { from: before.plan, to: plan });
}

function inWords(failure: PaymentFailure | undefined): About {
  if (!failure) return {};
  const { amountDue, currency, attempt, nextTryAt } = failure;
  return {
    amount: moneyWords({ amount: amountDue, currency }),
    attempt,
    nextTry: nextTryAt?.toISOString() ?? 'none',
  };
}
