import Stripe from 'stripe';
import { z } from 'zod';
import { ClientError, isRedirect, statusWords } from '../errors.ts';
import { verifyEvent } from './stripe/events.ts';
import { callWithin, isNotFound } from './stripe/failures.ts';
import { readPrice, readSubscription } from './stripe/replies.ts';
import type { PaymentsClient } from './types.ts';

export type StripeOptions = {
  secretKey: string;
  webhookSecret: string;
  /** Another server than the vendor's. */
  apiUrl?: string | undefined;
  /** Milliseconds for one call, with all its retries. */
  deadlineMs?: number;
};

const VENDOR_PAGES = ['https://checkout.stripe.com', 'https://billing.stripe.com'];

const page = z.object({ url: z.url({ protocol: /^https?$/ }) });

/** Stripe. Its addresses, terms and oddities stay within this client. */
export function createStripeClient(options: StripeOptions): PaymentsClient {
  const { secretKey, webhookSecret, apiUrl, deadlineMs = 10_000 } = options;
  const stripe = new Stripe(secretKey, {
    ...(apiUrl && addressOf(apiUrl)),
    timeout: Math.ceil(deadlineMs / 2),
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchHere),
  });
  const within = <T>(call: () => Promise<T>) => callWithin(deadlineMs, call);
  return {
    async createCheckout({ userId, email, customerId, plan, priceId, successUrl, cancelUrl }) {
      const metadata = { userId, plan };
      const session = await within(() =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          line_items: [{ price: priceId, quantity: 1 }],
          client_reference_id: userId,
          metadata,
          // Later events carry it, so that none needs to be looked up.
          subscription_data: { metadata },
          ...(customerId ? { customer: customerId } : { customer_email: email }),
          success_url: successUrl,
          cancel_url: cancelUrl,
        }),
      );
      return addressIn(session);
    },
    async createPortal({ customerId, returnUrl }) {
      const about = { customer: customerId, return_url: returnUrl };
      return addressIn(await within(() => stripe.billingPortal.sessions.create(about)));
    },
    async readPrice(priceId) {
      try {
        return readPrice(await within(() => stripe.prices.retrieve(priceId)));
      } catch (err) {
        if (isNotFound(err)) return undefined;
        throw err;
      }
    },
    async readSubscription(subscriptionId) {
      try {
        return readSubscription(await within(() => stripe.subscriptions.retrieve(subscriptionId)));
      } catch (err) {
        if (isNotFound(err)) return undefined;
        throw err instanceof z.ZodError ? unreadable() : err;
      }
    },
    async cancelSubscription(subscriptionId) {
      try {
        await within(() => stripe.subscriptions.cancel(subscriptionId));
      } catch (err) {
        if (!isNotFound(err)) throw err;
      }
    },
    verifyEvent: (rawBody, header, now) =>
      verifyEvent(stripe.webhooks, { rawBody, header, secret: webhookSecret, now }),
    pageOrigins: apiUrl ? [new URL(apiUrl).origin] : VENDOR_PAGES,
  };
}

/** The library takes any answer without an error for a success. */
async function fetchHere(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'manual' });
  if (!isRedirect(answer.status)) return answer;
  const error = { type: 'invalid_request_error', message: `status ${statusWords(answer.status)}` };
  return Response.json({ error }, { status: 400 });
}

function addressOf(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl);
  return { host: hostname, ...(port && { port }), protocol: protocol === 'http:' ? 'http' : 'https' } as const;
}

function addressIn(session: unknown): { url: string } {
  const { data } = page.safeParse(session);
  if (!data) throw unreadable();
  return data;
}

function unreadable(): ClientError {
  return new ClientError({ service: 'payments', kind: 'temporary', code: 'PAYMENT_UNAVAILABLE' });
}
