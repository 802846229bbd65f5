import { join } from 'node:path';
import { priceVariables, samplePrices } from './payments/prices.ts';
import { type PaymentsSandbox, startPaymentsSandbox } from './payments/server.ts';
import { portFor } from './ports.ts';

/** The payment provider for a machine without keys. */
export type OpenPayments = {
  sandbox: PaymentsSandbox;
  /** The environment that leads the payments client to it. */
  variables: Record<string, string>;
};

const SECRET_KEY = 'sk_test_sandbox';
const WEBHOOK_SECRET = 'whsec_sandbox';

/** Settings that a person may set even with a sandbox: they need to know them to send events of their own. */
export type GivenPayments = { webhookSecret: string | undefined; prices: Parameters<typeof samplePrices>[0] };

/** @param settings.webPort where the service will listen; events from before are delivered then */
export async function openPayments(
  settings: { port: number; webPort: number; given: GivenPayments },
  dataDir: string,
  say: (line: string) => void,
): Promise<OpenPayments> {
  const { webPort, given } = settings;
  const webhookSecret = given.webhookSecret ?? WEBHOOK_SECRET;
  const prices = samplePrices(given.prices);
  const sandbox = await startPaymentsSandbox({
    port: await portFor('the payment sandbox', settings.port, say),
    stateDir: join(dataDir, 'sandbox', 'payments'),
    prices,
    secretKey: SECRET_KEY,
    webhookSecret,
    webhookUrl: `http://127.0.0.1:${webPort}/api/webhooks/payments`,
  });
  const variables = {
    PAYMENT_SECRET_KEY: SECRET_KEY,
    PAYMENT_WEBHOOK_SECRET: webhookSecret,
    ...priceVariables(prices),
    PAYMENT_API_URL: sandbox.url,
  };
  return { sandbox, variables };
}
