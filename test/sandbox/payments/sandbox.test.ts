import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  let webhookUrl: string;
  let answers: number[];
  let heard: { type: string; id: string; body: string; signature: string }[];

  const vendorFor = ({ url }: PaymentsSandbox, key = SECRETS.secretKey) => {
    const { hostname, port } = new URL(url);
    return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
  };
  const start = (more: { webhookUrl?: string } = {}) =>
    startPaymentsSandbox({ port: 0, stateDir, prices: PRICES, ...SECRETS, ...more });
  const submit = (path: string, form: Record<string, string>) =>
    fetch(new URL(path, sandbox.url), { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const types = () => heard.map(({ type }) => type).sort();

  async function bought(): Promise<{ customer: string; subscription: string }> {
    const session = await stripe.checkout.sessions.create(ORDER);
    expect((await submit(new URL(session.url ?? '').pathname, { decision: 'pay' })).status).to.equal(303);
    const done = await stripe.checkout.sessions.retrieve(session.id);
    return { customer: String(done.customer), subscription: String(done.subscription) };
  }

  beforeEach(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'forenoon-pay-'));
    heard = [];
    answers = [];
    listener = createServer((req, res) => {
      let body = '';
      req.on('data', chunk => {
        body += chunk;
      });
      req.on('end', () => {
        const { type, id } = JSON.parse(body);
        heard.push({ type, id, body, signature: String(req.headers['stripe-signature']) });
        res.writeHead(answers.shift() ?? 200).end();
      });
    });
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
    webhookUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
    sandbox = await start({ webhookUrl });
    stripe = vendorFor(sandbox);
  });
  afterEach(async () => {
    await sandbox.stop();
    listener.closeAllConnections();
    await new Promise(resolve => listener.close(resolve));
    rmSync(stateDir, { recursive: true, force: true });
  });

  it('sells a subscription through the vendor’s library and tells of it, signed', async () => {
    const { customer, subscription } = await bought();
    const read = await stripe.subscriptions.retrieve(subscription);
    expect(read)
      .to.include({ customer, status: 'active', cancel_at: null })
      .and.not.have.property('current_period_end');
    expect(read.metadata).to.deep.equal({ userId: 'user-1', plan: 'PRO' });
    const [item] = read.items.data;
    expect(item?.price.id).to.equal('price_pro');
    expect(item?.current_period_end).to.be.within(read.created + 28 * 86_400, read.created + 31 * 86_400);
    await until(() => heard.length === 3);
    expect(types()).to.deep.equal([
      'checkout.session.completed',
      'customer.subscription.created',
      'invoice.payment_succeeded',
    ]);
    for (const { body, signature } of heard) {
      expect(stripe.webhooks.constructEvent(body, signature, SECRETS.webhookSecret).object).to.equal('event');
    }
  });
});
