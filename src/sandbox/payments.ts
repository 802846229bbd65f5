import { join } from 'node:path';
import { priceVariables, samplePrices } from './payments/prices.ts';
import { type PaymentsSandbox, startPaymentsSandbox } from './payments/server.ts';
import { portFor } from './ports.ts';

/** The payment provider for a machine without keys. */
export type OpenPayments = {
  sandbox: PaymentsSandbox;
  /** Lead the payments client to it. */
  variables: Record<string, string>;
};

const SECRET_KEY = 'sk_test_sandbox';
const WEBHOOK_SECRET = 'whsec_sandbox';

/** @param settings.webPort where the service will listen; what happens before it does is told then */
export async function openPayments(
  settings: { port: number; webPort: number; env: NodeJS.ProcessEnv },
  dataDir: string,
  say: (line: string) => void,
): Promise<OpenPayments> {
  const { webPort, env } = settings;
  // Somebody who sends events of their own needs to know what they are signed with, and the prices in them.
  const webhookSecret = env.PAYMENT_WEBHOOK_SECRET || WEBHOOK_SECRET;
  const prices = samplePrices({
    ...(env.PAYMENT_STARTER_PRICE_ID && { starter: env.PAYMENT_STARTER_PRICE_ID }),
    ...(env.PAYMENT_PRO_PRICE_ID && { pro: env.PAYMENT_PRO_PRICE_ID }),
    ...(env.PAYMENT_ENTERPRISE_PRICE_ID && { enterprise: env.PAYMENT_ENTERPRISE_PRICE_ID }),
  });
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
