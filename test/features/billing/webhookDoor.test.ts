import { expect } from 'chai';
import request from 'supertest';
import { type Service, startService, stopServices } from '../../support/service.ts';
import { eventOf, PRICES, paymentVariables, signatureOf, subscriptionBody } from './events.ts';

const PATH = '/api/webhooks/payments';

/** Nothing that is let in here needs the provider. */
const NOWHERE = 'http://127.0.0.1:9';

describe('The signature check of the payment provider’s webhook', () => {
  let service: Service;
  let now: number;

  before(async () => {
    service = await startService({ worker: false, env: paymentVariables(NOWHERE) });
  });
  beforeEach(async () => {
    now = Math.floor(Date.now() / 1000);
    await service.db('subscriptions').delete();
  });
  after(stopServices);

  function post(payload: string, signature: string | undefined = signatureOf(payload)) {
    const call = request(service.url).post(PATH).set('Content-Type', 'application/json');
    return (signature === '' ? call : call.set('Stripe-Signature', signature)).send(payload);
  }
  const one = async () => (await service.db('subscriptions'))[0];
  const updated = () => {
    const about = { subscription: 'sub_1', price: PRICES.PRO, periodEnd: now + 1000 };
    return eventOf('customer.subscription.updated', subscriptionBody(about));
  };

  it('rejects wrong, missing, old, future and foreign signatures, and bodies that are no event', async () => {
    const payload = JSON.stringify(updated());
    const refused = async (signature: string, body = payload) => {
      const answer = await post(body, signature).expect(400);
      expect(answer.body).to.include({ code: 'SIGNATURE_INVALID' });
    };
    await refused('');
    await refused('t=1,v1=00');
    await refused('nonsense');
    await refused(signatureOf(payload, { secret: 'whsec_foreign' }));
    await refused(signatureOf(payload, { timestamp: now - 301 }));
    await refused(signatureOf(payload, { timestamp: now + 301 + 5 }));
    await refused(signatureOf(`${payload} `));
    await refused(signatureOf(''), '');
    for (const body of ['no json', '[]', '{"id":"evt_1"}', 'null']) await refused(signatureOf(body), body);
    expect(await one()).to.equal(undefined);
    await post(payload, signatureOf(payload, { timestamp: now - 200 })).expect(200);
    const moved = signatureOf(payload, { timestamp: now - 400 }).replace(/t=\d+/, `t=${now}`);
    await refused(moved);
  });

  it('accepts up to a megabyte, from other sites and without a session', async () => {
    const large = JSON.stringify({ ...updated(), filler: 'x'.repeat(900_000) });
    await post(large).set('Origin', 'https://elsewhere.example').set('Sec-Fetch-Site', 'cross-site').expect(200);
    const larger = JSON.stringify({ ...updated(), filler: 'x'.repeat(1_100_000) });
    await post(larger).expect(413);
  });

  it('takes an event without the NUL characters in it, which the database can’t store', async () => {
    const { type, ...event } = updated();
    const about = { subscription: 'sub\0_1', customer: '\0cus_1', price: PRICES.PRO, plan: 'PRO\0', periodEnd: now };
    const payload = JSON.stringify({ ...event, id: 'evt\0_1', type, data: { object: subscriptionBody(about) } });
    await post(payload).expect(200);
    expect(await one()).to.include({ subscription_id: 'sub_1', customer_id: 'cus_1', plan: 'PRO' });
    await post(JSON.stringify({ ...event, id: 'evt_2', type: 'in\0voice.created' })).expect(200);
  });

  it('answers 500 while no secret is configured', async () => {
    const bare = await startService({ worker: false });
    const payload = JSON.stringify(updated());
    const call = request(bare.url).post(PATH).set('Stripe-Signature', signatureOf(payload)).type('json').send(payload);
    expect((await call.expect(500)).body).to.include({ code: 'INTERNAL' });
  });
});
