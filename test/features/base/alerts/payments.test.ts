import { expect } from 'chai';
import request from 'supertest';
import type { AlertBotSandbox } from '../../../../sandbox/alertBot/server.ts';
import { signIn } from '../../../support/people.ts';
import { type Service, startService, stopServices } from '../../../support/service.ts';
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
} from '../../billing/events.ts';
import { type Provider, startProvider } from '../../billing/provider.ts';
import { arrival, startBot } from './operator.ts';

/** The second source of the specification's section 6, from a signed delivery to the operator's chat. */
describe('The operator is alerted about payments', () => {
  let bot: AlertBotSandbox;
  let provider: Provider;
  let service: Service;
  let about: { subscription: string; userId: string };
  const now = seconds(new Date());
  const periodEnd = now + 30 * 86_400;

  before(async () => {
    const started = await startBot();
    bot = started.bot;
    provider = await startProvider();
    service = await startService({ env: { ...started.env, ...paymentVariables(provider.url) } });
    await signIn(service, 'nora@example.com');
    about = { subscription: 'sub_1', userId: (await service.db('users').first()).id };
  });
  after(async () => {
    await stopServices();
    await provider.stop();
    await bot.stop();
  });

  const post = (payload: string, signature = signatureOf(payload)) =>
    request(service.url)
      .post('/api/webhooks/payments')
      .set({ 'Content-Type': 'application/json', 'Stripe-Signature': signature })
      .send(payload);
  const deliver = (event: Envelope) => post(JSON.stringify(event)).expect(200);

  it('of a new subscription', async () => {
    const bought = subscriptionBody({ ...about, price: PRICES.STARTER, periodEnd });
    provider.subscriptions.set('sub_1', bought);
    await deliver(eventOf('checkout.session.completed', checkoutBody({ ...about, plan: 'STARTER' }), { created: now }));
    expect(await arrival(bot, /SUBSCRIPTION_STARTED$/)).to.match(/^Revenue · Payments\nA subscription was bought\./);
  });

  it('of an upgrade', async () => {
    const upgraded = subscriptionBody({ ...about, price: PRICES.PRO, periodEnd });
    await deliver(eventOf('customer.subscription.updated', upgraded, { created: now + 10 }));
    expect(await arrival(bot, /SUBSCRIPTION_UPGRADED$/)).to.match(/\nfrom: STARTER\nto: PRO\n/);
  });

  it('of a payment that failed', async () => {
    await deliver(
      eventOf('invoice.payment_failed', invoiceBody({ ...about, price: PRICES.PRO, periodEnd }), { created: now + 20 }),
    );
    expect(await arrival(bot, /PAYMENT_FAILED$/)).to.match(/^Revenue · Payments\nA payment failed\./);
  });

  it('of a cancellation', async () => {
    const ended = subscriptionBody({ ...about, status: 'canceled' });
    await deliver(eventOf('customer.subscription.deleted', ended, { created: now + 30 }));
    await arrival(bot, /SUBSCRIPTION_CANCELLED$/);
  });

  it('once for each event, however often it is delivered', async () => {
    const event = eventOf('customer.subscription.deleted', subscriptionBody({ ...about, status: 'canceled' }));
    for (let i = 0; i < 3; i += 1) await deliver({ ...event, created: now + 40 });
    await deliver(eventOf('checkout.session.completed', checkoutBody({ subscription: 'sub_2', userId: about.userId })));
    await arrival(bot, /subscription: sub_2\n[\s\S]*SUBSCRIPTION_STARTED$/);
    const told = bot.messages().filter(({ text }) => text.endsWith('SUBSCRIPTION_CANCELLED'));
    expect(told).to.have.length.at.most(2);
    expect(
      bot
        .messages()
        .map(({ text }) => text)
        .join(),
    ).not.to.include('@example');
  });
});
