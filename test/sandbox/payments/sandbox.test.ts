import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import Stripe from 'stripe';
import { type PaymentsSandbox, startPaymentsSandbox } from '../../../sandbox/payments/server.ts';
import { until } from '../../support/until.ts';

const PRICES = [
  { id: 'price_pro', productId: 'prod_pro', name: 'Pro', amount: 2900 },
  { id: 'price_big', productId: 'prod_big', name: 'Enterprise', amount: 9900 },
];
const SECRETS = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x' };
const ORDER = {
  mode: 'subscription' as const,
  line_items: [{ price: 'price_pro', quantity: 1 }],
  client_reference_id: 'user-1',
  customer_email: 'nora@example.com',
  metadata: { userId: 'user-1', plan: 'PRO' },
  subscription_data: { metadata: { userId: 'user-1', plan: 'PRO' } },
  success_url: 'http://127.0.0.1:9999/done',
  cancel_url: 'http://127.0.0.1:9999/back',
};

describe('The payment sandbox', () => {
  let stateDir: string;
  let sandbox: PaymentsSandbox;
  let stripe: Stripe;
  let listener: Server;
  const heard: { body: string; signature: string }[] = [];

  before(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'forenoon-pay-'));
    listener = createServer(async (req, res) => {
      heard.push({ body: await text(req), signature: String(req.headers['stripe-signature']) });
      res.writeHead(200).end();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const webhookUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
    sandbox = await startPaymentsSandbox({ port: 0, stateDir, prices: PRICES, ...SECRETS, webhookUrl });
    const { hostname, port } = new URL(sandbox.url);
    stripe = new Stripe(SECRETS.secretKey, { host: hostname, port, protocol: 'http', telemetry: false });
  });
  after(async () => {
    await sandbox.stop();
    listener.closeAllConnections();
    listener.close();
    rmSync(stateDir, { recursive: true, force: true });
  });

  it('sells a subscription through the vendor’s library and tells of it, signed', async () => {
    const session = await stripe.checkout.sessions.create(ORDER);
    const form = { method: 'POST', body: new URLSearchParams({ decision: 'pay' }), redirect: 'manual' } as const;
    expect((await fetch(session.url ?? '', form)).status).to.equal(303);
    const { customer, subscription } = await stripe.checkout.sessions.retrieve(session.id);
    const read = await stripe.subscriptions.retrieve(String(subscription));
    expect(read).to.include({ customer, status: 'active', cancel_at: null }).and.not.have.property('current_period_end');
    expect(read.metadata).to.deep.equal({ userId: 'user-1', plan: 'PRO' });
    const [item] = read.items.data;
    expect(item?.price.id).to.equal('price_pro');
    expect(item?.current_period_end).to.be.within(read.created + 28 * 86_400, read.created + 31 * 86_400);
    await until(() => heard.length === 3);
    const events = heard.map(({ body, signature }) =>
      stripe.webhooks.constructEvent(body, signature, SECRETS.webhookSecret),
    );
    expect(events.map(({ type }) => type).sort()).to.deep.equal([
      'checkout.session.completed',
      'customer.subscription.created',
      'invoice.payment_succeeded',
    ]);
  });
});
