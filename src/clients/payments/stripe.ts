import Stripe from 'stripe';
import { z } from 'zod';
import { withDeadline } from '../../lib/deadline.ts';
import { ClientError, isRedirect, SignatureRefused, statusWords } from '../errors.ts';
import { readCheckout, readInvoice, readPrice, readSubscription, storable } from './stripe/replies.ts';
import type { PaymentEvent, PaymentsClient, PaymentUpdate } from './types.ts';

export type StripeOptions = {
  secretKey: string;
  webhookSecret: string;
  /** Overrides the vendor's API address. */
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
    ...(apiUrl && clientAddress(apiUrl)),
    timeout: Math.ceil(deadlineMs / 2),
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchWithoutRedirects),
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
          // Later events contain the metadata, so that the subscription needn't be looked up.
          subscription_data: { metadata },
          ...(customerId ? { customer: customerId } : { customer_email: email }),
          success_url: successUrl,
          cancel_url: cancelUrl,
        }),
      );
      return parsePageUrl(session);
    },
    async createPortal({ customerId, returnUrl }) {
      const about = { customer: customerId, return_url: returnUrl };
      return parsePageUrl(await within(() => stripe.billingPortal.sessions.create(about)));
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
        throw err instanceof z.ZodError ? createUnreadableError() : err;
      }
    },
    async cancelSubscription(subscriptionId) {
      try {
        await within(() => stripe.subscriptions.cancel(subscriptionId));
      } catch (err) {
        if (!isNotFound(err)) throw err;
      }
    },
    verifyEvent: (rawBody, header = '', now) =>
      verifyEvent(stripe.webhooks, { body: Buffer.from(rawBody), header, secret: webhookSecret, now }),
    pageOrigins: apiUrl ? [new URL(apiUrl).origin] : VENDOR_PAGES,
  };
}

/** Turns redirects into errors: the library takes any answer without an error for a success. */
async function fetchWithoutRedirects(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'manual' });
  if (!isRedirect(answer.status)) return answer;
  const error = { type: 'invalid_request_error', message: `status ${statusWords(answer.status)}` };
  return Response.json({ error }, { status: 400 });
}

function clientAddress(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl);
  return { host: hostname, ...(port && { port }), protocol: protocol === 'http:' ? 'http' : 'https' } as const;
}

function parsePageUrl(session: unknown): { url: string } {
  const { data } = page.safeParse(session);
  if (!data) throw createUnreadableError();
  return data;
}

function createUnreadableError(): ClientError {
  return new ClientError({ service: 'payments', kind: 'temporary', code: 'PAYMENT_UNAVAILABLE' });
}

const service = 'payments';

/** Runs one call with a deadline in milliseconds, as the library waits between attempts as long as the provider asks. */
async function callWithin<T>(milliseconds: number, call: () => Promise<T>): Promise<T> {
  const tooLate = () => new ClientError({ service, kind: 'temporary', code: 'TIMEOUT' });
  return withDeadline(call(), milliseconds, tooLate).catch(err => {
    throw toClientError(err);
  });
}

/** Drops the vendor's error as the cause, since it contains the request. */
function toClientError(err: unknown): unknown {
  if (!(err instanceof Stripe.errors.StripeError)) return err;
  if (err instanceof Stripe.errors.StripeConnectionError) {
    return new ClientError({ service, kind: 'temporary', code: 'PAYMENT_UNREACHABLE' });
  }
  const { statusCode = 500 } = err;
  if (statusCode === 401 || statusCode === 403) return new ClientError({ service, kind: 'auth', code: 'PAYMENT_AUTH' });
  if (statusCode === 429) {
    const retryAfterSeconds = Number(err.headers?.['retry-after']) || 5;
    return new ClientError({ service, kind: 'rateLimited', code: 'PAYMENT_RATE_LIMIT', retryAfterSeconds });
  }
  if (err.code === 'resource_missing' || statusCode === 404) {
    return new ClientError({ service, kind: 'permanent', code: 'PAYMENT_NOT_FOUND' });
  }
  const isPassing = statusCode >= 500 || statusCode === 409;
  return new ClientError(
    isPassing
      ? { service, kind: 'temporary', code: 'PAYMENT_UNAVAILABLE' }
      : { service, kind: 'permanent', code: 'PAYMENT_REFUSED' },
  );
}

function isNotFound(err: unknown): boolean {
  return err instanceof ClientError && err.service === service && err.code === 'PAYMENT_NOT_FOUND';
}

/** Maximum deviation of a signature's time, as the provider uses it; its library doesn't check for future times. */
const TOLERANCE_SECONDS = 300;

const event = z.object({
  id: storable(255),
  type: storable(255),
  created: z.number().int().positive().max(8e9),
  data: z
    .object({ object: z.looseObject({}) })
    .optional()
    .catch(undefined),
});

/** A thin event only announces a change: https://docs.stripe.com/event-destinations#thin-events */
const thin = z.looseObject({ object: z.literal('v2.core.event') });

type Signed = { body: Buffer; header: string; secret: string; now: Date };

/** Throws {@link SignatureRefused}, even for a signed body that is no event. Undefined for a notice without content. */
function verifyEvent(webhooks: Stripe['webhooks'], signed: Signed): PaymentEvent | undefined {
  refuseFuture(signed);
  const content = verifySignature(webhooks, signed);
  if (content === undefined) return undefined;
  const { data } = event.safeParse(content);
  if (!data) throw new SignatureRefused('what is signed is no event');
  const { id, type, created } = data;
  return { id, type, createdAt: new Date(created * 1000), news: readUpdate(type, data.data?.object) };
}

function refuseFuture({ header, now }: Signed): void {
  const latest = now.getTime() / 1000 + TOLERANCE_SECONDS;
  const moments = [...header.matchAll(/(?:^|,)\s*t=(\d+)/g)].map(([, moment]) => Number(moment));
  if (moments.some(moment => moment > latest)) throw new SignatureRefused('the signature is from the future');
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new SignatureRefused('what is signed is no event');
  }
}

function verifySignature(webhooks: Stripe['webhooks'], { body, header, secret, now }: Signed): unknown {
  try {
    return webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, now.getTime());
  } catch (err) {
    const isSigned = !(err instanceof Stripe.errors.StripeSignatureVerificationError);
    if (isSigned && thin.safeParse(parseBody(body)).success) return undefined;
    throw new SignatureRefused(isSigned ? 'what is signed is no event' : 'the signature is missing, wrong or old');
  }
}

function readUpdate(type: string, body: unknown): PaymentUpdate | undefined {
  if (body === undefined) return undefined;
  switch (type) {
    case 'checkout.session.completed':
      return { kind: 'checkoutCompleted', ...readCheckout(body), failure: undefined };
    case 'customer.subscription.updated':
      return { kind: 'subscriptionUpdated', ...readSubscription(body), failure: undefined };
    case 'customer.subscription.deleted':
      return { kind: 'subscriptionDeleted', ...readSubscription(body), failure: undefined };
    case 'invoice.payment_succeeded':
      return { kind: 'paymentSucceeded', ...readInvoice(body, { isPaid: true }).facts, failure: undefined };
    case 'invoice.payment_failed': {
      const { facts, failure } = readInvoice(body, { isPaid: false });
      return { kind: 'paymentFailed', ...facts, failure };
    }
    default:
      return undefined;
  }
}
