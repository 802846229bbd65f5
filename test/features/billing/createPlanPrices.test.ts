import { expect } from 'chai';
import { createStripeClient } from '../../../src/clients/payments/stripe.ts';
import { createPlanPrices } from '../../../src/features/billing/service.ts';
import { createLog } from '../../../src/lib/log.ts';
import { until } from '../../support/until.ts';
import { type Provider, startProvider } from './provider.ts';

const PRICES = { PRO: 'price_pro', ENTERPRISE: 'price_enterprise' };
const MONTHLY = { interval: 'month', interval_count: 1 };
const PRO = { unit_amount: 2900, currency: 'eur', recurring: MONTHLY };
const HOUR_MS = 3_600_000;

describe('What the plans cost', () => {
  let provider: Provider;
  let now: number;

  beforeEach(async () => {
    provider = await startProvider();
    provider.subscriptions.set('price_pro', PRO);
    now = Date.now();
  });
  afterEach(() => provider.stop());

  const pricesOf = (apiUrl = provider.url) =>
    createPlanPrices({
      payments: createStripeClient({ secretKey: 'sk_test_1', webhookSecret: 'whsec_test', apiUrl, deadlineMs: 30_000 }),
      prices: PRICES,
      clock: { now: () => new Date(now) },
      log: createLog({ level: 'silent', name: 'test' }),
    });
  const eur = (amount: number) => ({ amount, currency: 'eur', interval: 'month', intervalCount: 1 });
  async function becomes(read: () => Promise<object>, wanted: object): Promise<void> {
    await until(async () => JSON.stringify(await read()) === JSON.stringify(wanted));
  }

  it('is requested once an hour, even under concurrent requests', async () => {
    const read = pricesOf();
    expect(await Promise.all([read(), read(), read()])).to.deep.equal(Array(3).fill({ PRO: eur(2900) }));
    expect(provider.asked.sort()).to.deep.equal(['GET /v1/prices/price_enterprise', 'GET /v1/prices/price_pro']);
    now += HOUR_MS - 1;
    await read();
    expect(provider.asked).to.have.length(2);
    provider.subscriptions.set('price_pro', { ...PRO, unit_amount: 3900 });
    now += 1;
    expect(await read(), 'nobody waits for the news').to.deep.equal({ PRO: eur(2900) });
    await becomes(read, { PRO: eur(3900) });
  });

  it('leaves out tiered, one-time and missing prices', async () => {
    for (const body of [{ ...PRO, unit_amount: null }, { ...PRO, recurring: null }, { ...PRO, currency: 5 }, {}]) {
      provider.subscriptions.set('price_pro', body);
      expect(await pricesOf()()).to.deep.equal({});
    }
  });

  it('stays the same while the provider fails, and is requested again after a minute', async () => {
    const read = pricesOf();
    await read();
    provider.failure = 500;
    now += HOUR_MS;
    await becomes(async () => [(await read()) && provider.asked.length > 2], [true]);
    expect(await read()).to.deep.equal({ PRO: eur(2900) });
    provider.failure = undefined;
    provider.subscriptions.set('price_enterprise', { ...PRO, unit_amount: 9900 });
    await becomes(
      async () => {
        now += 60_000;
        return read();
      },
      { PRO: eur(2900), ENTERPRISE: eur(9900) },
    );
  });
});
