import { expect } from 'chai';
import request from 'supertest';
import { wordsOf } from '../../support/pages.ts';
import { type Agent, signIn } from '../../support/people.ts';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { deleteAccount } from '../data/account/person.ts';
import {
  checkoutBody,
  type Envelope,
  eventOf,
  invoiceBody,
  PRICES,
  paymentVariables,
  seconds,
  signatureOf,
  subscriptionBody,
} from './events.ts';
import { type Provider, startProvider } from './provider.ts';

/** Of another product that is sold through the same account of the provider. */
const FOREIGN = { subscription: 'sub_b', price: 'price_of_another_product' };

describe('Subscriptions of another product on the same account', () => {
  let provider: Provider;
  let service: Service;
  let nora: Agent;
  let userId: string;
  const periodEnd = seconds(new Date()) + 30 * 86_400;

  before(async () => {
    provider = await startProvider();
    service = await startService({ worker: false, env: paymentVariables(provider.url) });
  });
  beforeEach(async () => {
    await service.db('subscriptions').delete();
    await service.db('users').delete();
    nora = await signIn(service, 'nora@example.com');
    userId = (await service.db('users').first()).id;
    provider.asked.length = 0;
    provider.failure = undefined;
    provider.subscriptions.clear();
  });
  after(async () => {
    await stopServices();
    await provider.stop();
  });

  async function taken(event: Envelope): Promise<void> {
    const payload = JSON.stringify(event);
    await request(service.url)
      .post('/api/webhooks/payments')
      .set({ 'Content-Type': 'application/json', 'Stripe-Signature': signatureOf(payload) })
      .send(payload)
      .expect(200, { received: true });
  }
  const ours = { subscription: 'sub_a', price: PRICES.PRO, periodEnd };
  const updated = (about: Parameters<typeof subscriptionBody>[0]) =>
    eventOf('customer.subscription.updated', subscriptionBody(about));
  const paid = (about: Parameters<typeof invoiceBody>[0]) =>
    eventOf('invoice.payment_succeeded', invoiceBody(about), { created: seconds(new Date()) + 60 });
  const billing = async () => wordsOf((await nora.get('/settings/billing').expect(200)).text);
  const stored = async () => (await service.db('subscriptions')).map(row => row.subscription_id);

  it('leave the plan of the same customer as it is', async () => {
    await taken(updated({ ...ours, userId }));
    await taken(paid({ ...FOREIGN, periodEnd }));
    await taken(updated({ ...FOREIGN, periodEnd }));
    expect(await billing()).to.include('of 1,000 conversations');
    expect(await stored()).to.deep.equal(['sub_a']);
    expect(provider.asked.filter(path => path.includes('sub_b'))).to.deep.equal([]);
  });

  it('are not shown to whoever has the same email address, and their failed payments alert nobody', async () => {
    await taken(paid({ ...FOREIGN, periodEnd, email: 'nora@example.com' }));
    await taken(eventOf('invoice.payment_failed', invoiceBody({ ...FOREIGN, email: 'nora@example.com' })));
    expect(await billing()).to.include('You’re on the free plan.');
    expect(await service.db('alerts').where({ source: 'payments' })).to.deep.equal([]);
  });

  it('are not canceled with the account of their customer', async () => {
    await taken(updated({ ...ours, userId }));
    await taken(updated({ ...FOREIGN, periodEnd }));
    await deleteAccount({ agent: nora, email: 'nora@example.com' }).expect(303);
    expect(provider.asked.filter(path => path.startsWith('DELETE'))).to.deep.equal(['DELETE /v1/subscriptions/sub_a']);
  });

  it('are told from ours by what the provider says where an event names no price', async () => {
    const checkout = (subscription: string) =>
      eventOf('checkout.session.completed', checkoutBody({ subscription, email: 'nora@example.com' }));
    provider.subscriptions.set('sub_b', subscriptionBody({ ...FOREIGN, periodEnd }));
    await taken(checkout('sub_b'));
    await taken(checkout('sub_gone'));
    expect(await stored()).to.deep.equal([]);
    provider.subscriptions.set('sub_a', subscriptionBody(ours));
    await taken(checkout('sub_a'));
    expect(await billing()).to.include('of 1,000 conversations');
  });

  it('do not count as ours for the id of a user that they name, unless it is one of ours', async () => {
    await taken(updated({ ...FOREIGN, periodEnd, userId: '00000000-0000-4000-8000-000000000000' }));
    expect(await stored()).to.deep.equal([]);
    await taken(updated({ ...ours, userId }));
    await taken(updated({ ...FOREIGN, periodEnd, userId }));
    expect(await stored()).to.have.members(['sub_a', 'sub_b']);
    expect(await billing()).to.include('of 1,000 conversations');
  });
});
