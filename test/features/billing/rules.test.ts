import { expect } from 'chai';
import type { Alert } from '../../../src/features/base/alerts/schema.ts';
import { applyEvent, planBought, type SubscriptionEvent } from '../../../src/features/billing/rules.ts';
import type { Subscription } from '../../../src/features/billing/schema.ts';
import { alertOperator } from '../../../src/features/billing/takeEvent.ts';
import { PRICES } from './events.ts';

const at = (seconds: number) => new Date(1_790_000_000_000 + seconds * 1000);

function happening(more: Partial<SubscriptionEvent> = {}): SubscriptionEvent {
  return {
    kind: 'subscriptionUpdated',
    createdAt: at(0),
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    user: { id: 'user-1', isCertain: true },
    bought: { plan: 'PRO', priceId: PRICES.PRO },
    status: 'active',
    endsAt: null,
    periodEnd: at(1000),
    startedAt: undefined,
    ...more,
  };
}

const stateAfter = (...events: SubscriptionEvent[]): Subscription =>
  events.reduce<Subscription | undefined>(applyEvent, undefined) as Subscription;

describe('The plan that was bought', () => {
  const bought = (priceIds: string[], planName?: string) => planBought({ priceIds, planName }, PRICES)?.plan;

  it('is that of the price, whatever the order was called', () => {
    expect(bought([PRICES.PRO], 'ENTERPRISE')).to.equal('PRO');
    expect(bought(['price_other', PRICES.STARTER])).to.equal('STARTER');
    expect(bought([PRICES.PRO, PRICES.ENTERPRISE])).to.equal('ENTERPRISE');
  });

  it('is that of the order when no price is known, and none when that is no plan', () => {
    expect(bought(['price_other'], 'PRO')).to.equal('PRO');
    expect(bought([], 'GOLD')).to.equal(undefined);
    expect(planBought({ priceIds: ['price_1'], planName: undefined }, {})).to.equal(undefined);
  });
});

describe('An alert about a payment', () => {
  function alertsOf(before: SubscriptionEvent[], event: SubscriptionEvent): Alert[] {
    const told: Alert[] = [];
    const alerts = { tell: (alert: Alert) => void told.push(alert), close: async () => undefined };
    const state = before.length > 0 ? stateAfter(...before) : undefined;
    const failure = { amountDue: 2900, currency: 'eur', attempt: 2, nextTryAt: undefined };
    alertOperator({ alerts }, { before: state, after: applyEvent(state, event), event }, failure);
    return told;
  }
  const kinds = (before: SubscriptionEvent[], event: SubscriptionEvent) => alertsOf(before, event).map(a => a.kind);

  it('is of level revenue, with ids, plan and amounts, and without a person', () => {
    const [alert] = alertsOf([happening()], happening({ kind: 'paymentFailed', createdAt: at(1) }));
    expect(alert).to.include({ level: 'revenue', source: 'payments', kind: 'PAYMENT_FAILED' });
    expect(alert?.about).to.deep.equal({
      user: 'user-1',
      subscription: 'sub_1',
      plan: 'PRO',
      amount: '€29.00',
      attempt: 2,
      nextTry: 'none',
    });
  });

  it('is sent for each new subscription, upgrade, upcoming end and cancellation', () => {
    expect(kinds([], happening({ kind: 'checkoutCompleted' }))).to.deep.equal(['SUBSCRIPTION_STARTED']);
    const up = happening({ createdAt: at(1), bought: { plan: 'ENTERPRISE', priceId: null } });
    expect(kinds([happening()], up)).to.deep.equal(['SUBSCRIPTION_UPGRADED']);
    expect(kinds([happening()], happening({ createdAt: at(1), endsAt: at(9) }))).to.deep.equal(['SUBSCRIPTION_ENDS']);
    const end = happening({ kind: 'subscriptionDeleted', createdAt: at(1) });
    expect(kinds([happening()], end)).to.deep.equal(['SUBSCRIPTION_CANCELLED']);
  });

  it('is not sent for renewals, downgrades or late events', () => {
    expect(kinds([happening()], happening({ createdAt: at(1), periodEnd: at(5000) }))).to.deep.equal([]);
    const down = happening({ createdAt: at(1), bought: { plan: 'STARTER', priceId: null } });
    expect(kinds([happening()], down)).to.deep.equal([]);
    const old = happening({ createdAt: at(-9), bought: { plan: 'ENTERPRISE', priceId: null } });
    expect(kinds([happening()], old)).to.deep.equal([]);
    expect(kinds([happening()], happening({ kind: 'paymentSucceeded', createdAt: at(1) }))).to.deep.equal([]);
  });
});
