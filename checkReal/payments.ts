import Stripe from 'stripe';
import { createStripeClient } from '../src/clients/payments/stripe.ts';
import type { Config } from '../src/config.ts';
import { type Ask, type Check, type CleanUp, LeftOut } from './checks.ts';

type Deps = { config: Config; ask: Ask; cleanUp: CleanUp };

/** A plan bought in test mode by the person in the browser, read back, and canceled. Never with a live key. */
export function paymentCheck({ config, ask, cleanUp }: Deps): Check {
  async function run(): Promise<string> {
    const { secretKey, webhookSecret, apiUrl, prices } = config.payments;
    if (!secretKey || !webhookSecret) throw new LeftOut('PAYMENT_SECRET_KEY and PAYMENT_WEBHOOK_SECRET are not set');
    if (!/^(sk|rk)_test_/.test(secretKey)) throw new LeftOut('PAYMENT_SECRET_KEY is not of test mode (sk_test_)');
    const [plan, priceId] = Object.entries(prices).find(([, price]) => price !== undefined) ?? [];
    if (!plan || !priceId) throw new LeftOut('no price is set (PAYMENT_STARTER_PRICE_ID)');
    const client = createStripeClient({ secretKey, webhookSecret, apiUrl });
    if (!(await client.readPrice(priceId))) throw new Error(`the price of ${plan} is unknown there`);
    const address = await checkoutFor(client, { plan, priceId });
    const question = `Pay in test mode with the card 4242 4242 4242 4242, then press y and Enter (Enter leaves it out):\n  ${address}\nPaid? `;
    if ((await ask(question)).trim().toLowerCase() !== 'y') throw new LeftOut('not paid');
    const subscriptionId = await subscriptionOf(address, vendor(secretKey, apiUrl));
    cleanUp(`the test subscription ${subscriptionId}`, () => client.cancelSubscription(subscriptionId));
    const facts = await client.readSubscription(subscriptionId);
    if (facts?.status !== 'active') throw new Error(`the subscription is ${facts?.status ?? 'unknown'}, not active`);
    if (!facts.priceIds.includes(priceId)) throw new Error('the subscription has another price');
    return `${plan} was bought in test mode, and the subscription is active`;
  }

  async function checkoutFor(client: ReturnType<typeof createStripeClient>, about: { plan: string; priceId: string }) {
    const order = { userId: '00000000-0000-4000-8000-000000000000', email: 'check-real@example.com', ...about };
    const back = `${config.appUrl}/settings`;
    return (await client.createCheckout({ ...order, successUrl: back, cancelUrl: back })).url;
  }

  return { name: 'a payment in test mode', run };
}

function vendor(secretKey: string, apiUrl: string | undefined): Stripe {
  if (!apiUrl) return new Stripe(secretKey, { telemetry: false });
  const { protocol, hostname, port } = new URL(apiUrl);
  const place = { host: hostname, protocol: protocol === 'http:' ? ('http' as const) : ('https' as const) };
  return new Stripe(secretKey, { ...place, ...(port && { port }), telemetry: false });
}

/** The page's address holds the id of the order. */
async function subscriptionOf(address: string, stripe: Stripe): Promise<string> {
  const [id] = /cs_test_\w+/.exec(address) ?? [];
  if (!id) throw new Error('the address of the page to pay is not of test mode');
  const { subscription } = await stripe.checkout.sessions.retrieve(id);
  if (!subscription) throw new Error('the provider knows of no payment on that page');
  return typeof subscription === 'string' ? subscription : subscription.id;
}
