import { expect } from 'chai';
import request from 'supertest';
import { listSubscriptions } from '../../../src/features/billing/repo.ts';
import { planOf } from '../../../src/features/billing/rules.ts';
import { getLimits } from '../../../src/features/billing/service.ts';
import { deleteOldOfAllUsers } from '../../../src/features/data/cleanUp/repo.ts';
import { signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import {
  checkoutBody,
  type Envelope,
  eventOf,
  invoiceBody,
  olderInvoiceBody,
  olderSubscriptionBody,
  PRICES,
  paymentVariables,
  signatureOf,
  subscriptionBody,
} from './events.ts';
import { type Provider, startProvider } from './provider.ts';

const DAY = 86_400;

describe('The webhook of the payment provider', () => {
  let provider: Provider;
  let service: Service;
  let userId: string;
  let now: number;

  before(async () => {
    provider = await startProvider();
    service = await startService({ worker: false, env: paymentVariables(provider.url) });
    await signIn(service, 'nora@example.com');
    userId = (await service.db('users').first()).id;
    await signIn(service, 'olu@example.com');
  });
  beforeEach(async () => {
    now = Math.floor(Date.now() / 1000);
    provider.subscriptions.clear();
    provider.failure = undefined;
    provider.asked.length = 0;
    await service.db('subscriptions').delete();
    await service.db('payment_events').delete();
  });
  after(async () => {
    await stopServices();
    await provider.stop();
  });

  const post = (payload: string) =>
    request(service.url)
      .post('/api/webhooks/payments')
      .set({ 'Content-Type': 'application/json', 'Stripe-Signature': signatureOf(payload) })
      .send(payload);
  const send = (event: Envelope) => post(JSON.stringify(event));
  const taken = (event: Envelope) => send(event).expect(200, { received: true });
  const mine = () => listSubscriptions(service.db, userId);
  const plan = async () => planOf(await mine());
  const one = async () => (await service.db('subscriptions'))[0];
  const eventIds = async () => (await service.db('payment_events')).map(row => row.id);

  const subscription = 'sub_1';
  const checkout = (more: object = {}) =>
    eventOf('checkout.session.completed', checkoutBody({ subscription, userId, plan: 'PRO', ...more }));
  const updated = (more: object = {}, about: { created?: number } = {}) =>
    eventOf(
      'customer.subscription.updated',
      subscriptionBody({ subscription, userId, price: PRICES.PRO, periodEnd: now + 30 * DAY, ...more }),
      about,
    );
  const deleted = (about: { created?: number } = {}) =>
    eventOf('customer.subscription.deleted', subscriptionBody({ subscription, userId, status: 'canceled' }), about);

  describe('acts on its five events', () => {
    it('a finished checkout: the subscription is read again, the plan is set', async () => {
      const body = subscriptionBody({ subscription, userId, price: PRICES.ENTERPRISE, periodEnd: now + 30 * DAY });
      provider.subscriptions.set(subscription, body);
      await taken(checkout());
      expect(provider.asked).to.deep.equal([`GET /v1/subscriptions/${subscription}`]);
      expect(await plan()).to.equal('ENTERPRISE');
      const row = await one();
      expect(row).to.include({ user_id: userId, customer_id: 'cus_1', status: 'active', price_id: PRICES.ENTERPRISE });
      expect(row.current_period_end.getTime()).to.equal((now + 30 * DAY) * 1000);
      expect(await getLimits(service, { userId })).to.include({ messengerAccounts: 10 });
    });

    it('a finished checkout that the provider no longer has: the order itself counts', async () => {
      await taken(checkout());
      expect(await plan()).to.equal('PRO');
    });

    it('an updated subscription: plan by its price, and period, without another call', async () => {
      await taken(updated({ price: PRICES.PRO, plan: 'ENTERPRISE' }));
      expect(provider.asked).to.deep.equal([]);
      expect(await plan()).to.equal('PRO');
      await taken(updated({ price: PRICES.STARTER, periodEnd: now + 60 * DAY }, { created: now + 5 }));
      expect((await mine())[0]).to.include({ plan: 'STARTER', status: 'active' });
      expect((await one()).current_period_end.getTime()).to.equal((now + 60 * DAY) * 1000);
    });

    it('an updated subscription at a price of none of our plans: the plan it was ordered as', async () => {
      await taken(updated({ price: 'price_of_last_year', plan: 'ENTERPRISE' }));
      expect(await plan()).to.equal('ENTERPRISE');
    });

    it('a paid invoice: the period moves on, the plan stays', async () => {
      await taken(updated());
      const later = now + 61 * DAY;
      const body = invoiceBody({ subscription, price: PRICES.STARTER, periodEnd: later });
      await taken(eventOf('invoice.payment_succeeded', body, { created: now + 10 }));
      expect((await one()).current_period_end.getTime()).to.equal(later * 1000);
      expect(await plan()).to.equal('PRO');
    });

    it('a paid invoice before anything else: the subscription is there, with the plan that was paid', async () => {
      const body = invoiceBody({ subscription, userId, price: PRICES.PRO, periodEnd: now + 30 * DAY });
      await taken(eventOf('invoice.payment_succeeded', body));
      expect(await plan()).to.equal('PRO');
      await taken(updated({ price: PRICES.ENTERPRISE }, { created: now - 100 }));
      expect(await plan()).to.equal('ENTERPRISE');
    });

    it('a deleted subscription: back to Starter, and its data cleared', async () => {
      await taken(updated());
      await taken(deleted({ created: now + 9 }));
      expect(await plan()).to.equal('STARTER');
      expect(await one()).to.include({ plan: null, price_id: null, current_period_end: null, is_live: false });
      expect(await getLimits(service, { userId })).to.include({ conversationsPerDay: 300, messengerAccounts: 1 });
    });

    it('an invoice that was not paid: nothing changes', async () => {
      await taken(updated());
      const before = await one();
      await taken(eventOf('invoice.payment_failed', invoiceBody({ subscription, userId }), { created: now + 3 }));
      const { last_event_at: _, updated_at: __, ...after } = await one();
      expect(before).to.deep.include(after);
      expect(await eventIds()).to.have.length(2);
    });
  });

  it('keeps the plan while a payment is past due, and ends it when it is given up', async () => {
    await taken(updated({ status: 'past_due' }));
    expect(await plan()).to.equal('PRO');
    for (const [seconds, status] of ['unpaid', 'active', 'canceled', 'incomplete_expired', 'paused'].entries()) {
      await taken(updated({ status }, { created: now + 1 + seconds }));
      expect(await plan(), status).to.equal(status === 'active' ? 'PRO' : 'STARTER');
    }
  });

  it('alerts the operator once of each event, however often it is delivered', async () => {
    await service.db('alerts').delete();
    const failed = eventOf('invoice.payment_failed', invoiceBody({ subscription, userId }), { created: now + 20 });
    const events = [checkout(), updated({ price: PRICES.ENTERPRISE }, { created: now + 10 }), failed];
    for (const event of [...events, deleted({ created: now + 30 })]) {
      await taken(event);
      await taken(event);
    }
    const told = () => service.db('alerts').where({ source: 'payments' }).orderBy('kind').select('level', 'kind', 'about');
    await until(async () => (await told()).length >= 4);
    const alerts = await told();
    expect(alerts.map(({ level, kind }) => `${level} ${kind}`)).to.deep.equal([
      'revenue PAYMENT_FAILED',
      'revenue SUBSCRIPTION_CANCELLED',
      'revenue SUBSCRIPTION_STARTED',
      'revenue SUBSCRIPTION_UPGRADED',
    ]);
    expect(alerts[3]?.about).to.include({ from: 'PRO', to: 'ENTERPRISE' });
    expect(JSON.stringify(alerts)).not.to.include('@example');
  });

  it('reads fields where older versions of the provider’s API have them', async () => {
    const body = olderSubscriptionBody({ subscription, userId, price: PRICES.PRO, periodEnd: now + 20 * DAY });
    await taken(eventOf('customer.subscription.updated', body));
    expect(await plan()).to.equal('PRO');
    expect((await one()).current_period_end.getTime()).to.equal((now + 20 * DAY) * 1000);
    const invoice = olderInvoiceBody({ subscription, price: PRICES.PRO, periodEnd: now + 50 * DAY });
    await taken(eventOf('invoice.payment_succeeded', invoice, { created: now + 2 }));
    expect((await one()).current_period_end.getTime()).to.equal((now + 50 * DAY) * 1000);
    expect(provider.asked).to.deep.equal([]);
  });

  describe('finds the user', () => {
    const without = { userId: undefined };

    it('by the customer', async () => {
      await taken(updated());
      await taken(updated({ ...without, subscription: 'sub_2', price: PRICES.ENTERPRISE }, { created: now + 1 }));
      expect((await mine()).map(each => each.subscriptionId)).to.have.members(['sub_1', 'sub_2']);
    });

    it('by the email address, in any case', async () => {
      await taken(checkout({ ...without, email: 'Nora@Example.com' }));
      expect(await plan()).to.equal('PRO');
    });

    it('and ignores unknown user ids', async () => {
      await taken(checkout({ userId: 'not-a-uuid', email: 'nora@example.com' }));
      expect((await one()).user_id).to.equal(userId);
      const unknown = '00000000-0000-4000-8000-000000000000';
      await taken(checkout({ userId: unknown, subscription: 'sub_2', customer: 'cus_2' }));
      expect((await service.db('subscriptions').where({ subscription_id: 'sub_2' }).first()).user_id).to.equal(null);
    });

    it('by a later event, when the first one did not say', async () => {
      await taken(updated({ ...without, price: PRICES.ENTERPRISE }));
      expect(await mine()).to.deep.equal([]);
      await taken({ ...checkout(), created: now - 10 });
      expect(await plan()).to.equal('ENTERPRISE');
    });

    it('by the order even if the email address belongs to another user', async () => {
      const olu = await service.db('users').where({ email: 'olu@example.com' }).first();
      const body = invoiceBody({ subscription, price: PRICES.PRO, periodEnd: now + DAY, email: 'olu@example.com' });
      await taken(eventOf('invoice.payment_succeeded', body));
      expect((await one()).user_id).to.equal(olu.id);
      await taken(checkout({ email: 'olu@example.com' }));
      expect((await one()).user_id).to.equal(userId);
    });
  });

  describe('takes events in any order', () => {
    it('and keeps deleted subscriptions deleted', async () => {
      await taken(deleted({ created: now + 100 }));
      await taken(checkout());
      await taken(updated());
      const body = invoiceBody({ subscription, userId, price: PRICES.PRO, periodEnd: now + 30 * DAY });
      await taken(eventOf('invoice.payment_succeeded', body, { created: now + 200 }));
      expect(await plan()).to.equal('STARTER');
      expect(await one()).to.include({ status: 'canceled' });
    });

    it('and asks the provider which of two changes in one second was the later', async () => {
      const present = { price: PRICES.ENTERPRISE, status: 'past_due' };
      provider.subscriptions.set(subscription, updated(present).data.object);
      await taken(updated({ price: PRICES.ENTERPRISE }, { created: now }));
      await taken(updated({ price: PRICES.PRO }, { created: now }));
      expect(await one()).to.include({ status: 'past_due' });
      expect(provider.asked).to.have.length(1);
      expect(await plan()).to.equal('ENTERPRISE');
    });

    it('and believes the provider that a subscription renews again', async () => {
      const end = now + 30 * DAY;
      provider.subscriptions.set(subscription, updated().data.object);
      await taken(updated({}, { created: now }));
      await taken(updated({ cancelAt: end }, { created: now }));
      expect(provider.asked).to.have.length(1);
      expect((await one()).ends_at).to.equal(null);
    });

    it('and keeps another subscription of the same person when one ends', async () => {
      await taken(updated());
      await taken(updated({ subscription: 'sub_2', price: PRICES.ENTERPRISE }, { created: now + 1 }));
      await taken(deleted({ created: now + 2 }));
      expect(await plan()).to.equal('ENTERPRISE');
    });
  });

  describe('answers 500, so that the provider delivers again,', () => {
    it('while missing details can’t be read from the provider', async () => {
      provider.failure = 500;
      const event = checkout();
      const { body } = await send(event).expect(500);
      expect(body).to.include({ code: 'INTERNAL' }).and.have.property('requestId');
      expect(await eventIds()).to.deep.equal([]);
      expect(await one()).to.equal(undefined);
      provider.failure = undefined;
      await taken(event);
      expect(await plan()).to.equal('PRO');
    });

    it('but takes an order that names its plan when the provider is out of reach', async () => {
      provider.failure = 'hangup';
      await taken(checkout());
      expect(await plan()).to.equal('PRO');
      await send(checkout({ subscription: 'sub_2', plan: undefined })).expect(500);
    });

    it('when the effect can’t be stored, and stores nothing then', async () => {
      await service.db.raw(`alter table subscriptions add constraint broken check (plan <> 'PRO') not valid`);
      const event = updated();
      await send(event).expect(500);
      expect(await eventIds()).to.deep.equal([]);
      await service.db.raw('alter table subscriptions drop constraint broken');
      await taken(event);
      expect(await plan()).to.equal('PRO');
    });
  });

  it('forgets events after 90 days, except for live subscriptions', async () => {
    const [old, today] = [now - 100 * DAY, { now: new Date(now * 1000), limit: 1000 }];
    const forget = (table: 'payment_events' | 'subscriptions') => deleteOldOfAllUsers(service.db, table, today);
    await taken(updated({}, { created: old }));
    await taken(updated({ subscription: 'sub_2', status: 'canceled' }, { created: old }));
    await taken(updated({ subscription: 'sub_3', customer: 'cus_3', userId: undefined }, { created: old }));
    await taken(updated({ subscription: 'sub_4', status: 'incomplete_expired' }, { created: old }));
    expect([await forget('payment_events'), await forget('subscriptions')]).to.deep.equal([0, 3]);
    expect(await eventIds()).to.have.length(4);
    await service.db('payment_events').update({ received_at: new Date(old * 1000) });
    expect([await forget('payment_events'), await forget('subscriptions')]).to.deep.equal([4, 0]);
    expect((await service.db('subscriptions')).map(row => row.subscription_id)).to.deep.equal([subscription]);
  });
});
