import { expect } from 'chai';
import { ClientError } from '../../../src/clients/errors.ts';
import { createStripeClient } from '../../../src/clients/payments/stripe.ts';
import type { PaymentsClient } from '../../../src/clients/payments/types.ts';
import { type Provider, startProvider } from '../../features/billing/provider.ts';

const ORDER = {
  userId: 'user-1',
  email: 'nora@example.com',
  plan: 'PRO',
  priceId: 'price_pro',
  successUrl: 'http://127.0.0.1:3000/a',
  cancelUrl: 'http://127.0.0.1:3000/b',
};

describe('The payments client', () => {
  let provider: Provider;
  let client: PaymentsClient;

  before(async () => {
    provider = await startProvider();
    client = clientFor(provider.url);
  });
  beforeEach(() => {
    provider.failure = undefined;
    provider.asked.length = 0;
  });
  after(() => provider.stop());

  const clientFor = (apiUrl: string, deadlineMs = 30_000) =>
    createStripeClient({ secretKey: 'sk_test_1', webhookSecret: 'whsec_test', apiUrl, deadlineMs });

  async function failureOf(call: Promise<unknown>): Promise<ClientError> {
    const error = await call.catch((err: unknown) => err);
    if (error instanceof ClientError) return error;
    throw new Error('it did not fail as promised');
  }

  it('maps errors to its contract', async () => {
    const cases = [
      [500, { kind: 'temporary', code: 'PAYMENT_UNAVAILABLE' }],
      [401, { kind: 'auth', code: 'PAYMENT_AUTH' }],
      [429, { kind: 'rateLimited', code: 'PAYMENT_RATE_LIMIT', retryAfterSeconds: 5 }],
      [400, { kind: 'permanent', code: 'PAYMENT_REFUSED' }],
      [404, { kind: 'permanent', code: 'PAYMENT_NOT_FOUND' }],
      ['hangup', { kind: 'temporary', code: 'PAYMENT_UNREACHABLE' }],
    ] as const;
    for (const [failure, expected] of cases) {
      provider.failure = failure;
      const error = await failureOf(client.createCheckout(ORDER));
      expect(error, String(failure)).to.include({ service: 'payments', ...expected });
      expect(error.cause).to.equal(undefined);
    }
  });

  it('finds no subscription where there is none, and treats one that is gone as cancelled', async () => {
    expect(await client.readSubscription('sub_none')).to.equal(undefined);
    await client.cancelSubscription('sub_none');
    expect(provider.asked).to.deep.equal(['GET /v1/subscriptions/sub_none', 'DELETE /v1/subscriptions/sub_none']);
  });

  it('does not treat an error as success', async () => {
    provider.subscriptions.set('sessions', { id: 'cs_1', url: 'javascript:alert(1)' });
    expect(await failureOf(client.createCheckout(ORDER))).to.include({ code: 'PAYMENT_UNAVAILABLE' });
    provider.subscriptions.clear();
  });
});
