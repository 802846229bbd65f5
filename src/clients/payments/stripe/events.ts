import Stripe from 'stripe';
import { z } from 'zod';
import { SignatureRefused } from '../../errors.ts';
import type { PaymentEvent, PaymentNews } from '../types.ts';
import { readCheckout, readInvoice, readSubscription, storable } from './replies.ts';

/** The provider's own tolerance for the past; its library accepts any moment in the future. */
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

/** It only says that something happened: https://docs.stripe.com/event-destinations#thin-events */
const thin = z.looseObject({ object: z.literal('v2.core.event') });

/** Throws {@link SignatureRefused}, even for a signed body that is no event. Undefined for a notice without content. */
export function verifyEvent(
  webhooks: Stripe['webhooks'],
  given: { rawBody: Uint8Array; header: string | undefined; secret: string; now: Date },
): PaymentEvent | undefined {
  const { rawBody, header = '', secret, now } = given;
  const body = Buffer.from(rawBody);
  refuseFuture(header, now);
  const content = genuine(webhooks, { body, header, secret, now });
  if (content === undefined) return undefined;
  const { data } = event.safeParse(content);
  if (!data) throw new SignatureRefused('what is signed is no event');
  const { id, type, created } = data;
  return { id, type, createdAt: new Date(created * 1000), news: newsOf(type, data.data?.object) };
}

function refuseFuture(header: string, now: Date): void {
  const latest = now.getTime() / 1000 + TOLERANCE_SECONDS;
  const moments = [...header.matchAll(/(?:^|,)\s*t=(\d+)/g)].map(([, moment]) => Number(moment));
  if (moments.some(moment => moment > latest)) throw new SignatureRefused('the signature is from the future');
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new SignatureRefused('what is signed is no event');
  }
}

type Signed = { body: Buffer; header: string; secret: string; now: Date };

function genuine(webhooks: Stripe['webhooks'], { body, header, secret, now }: Signed): unknown {
  try {
    return webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, now.getTime());
  } catch (err) {
    const isSigned = !(err instanceof Stripe.errors.StripeSignatureVerificationError);
    if (isSigned && thin.safeParse(parsed(body)).success) return undefined;
    throw new SignatureRefused(isSigned ? 'what is signed is no event' : 'the signature is missing, wrong or old');
  }
}

function newsOf(type: string, body: unknown): PaymentNews | undefined {
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
