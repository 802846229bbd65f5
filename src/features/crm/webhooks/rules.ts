import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Without a secret nothing can be verified. */
type SignatureVerdict = 'valid' | 'invalid' | 'missing' | 'not_configured';

export type WebhookEvent = { type: string; portalId: string; eventId: string };

const LONGEST_AGE_MS = 5 * 60_000;

export type SignedRequest = {
  method: string;
  /** As the vendor called it, with scheme and host. */
  url: string;
  body: Buffer;
  signature: string | undefined;
  /** Milliseconds since 1970, as text. */
  timestamp: string | undefined;
};

/**
 * The vendor's third signature: https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
 * Its own library compares byte by byte and accepts timestamps in the future, so we check it ourselves.
 */
export function verifySignature(request: SignedRequest, { secret, now }: { secret: string | undefined; now: Date }) {
  const { method, url, body, signature, timestamp } = request;
  if (!secret) return 'not_configured' satisfies SignatureVerdict;
  if (!signature || !timestamp) return 'missing' satisfies SignatureVerdict;
  const isRecent = /^\d{1,16}$/.test(timestamp) && Math.abs(now.getTime() - Number(timestamp)) <= LONGEST_AGE_MS;
  const expected = createHmac('sha256', secret).update(`${method}${url}`).update(body).update(timestamp).digest();
  const given = Buffer.from(signature, 'base64');
  const isSame = given.length === expected.length && timingSafeEqual(given, expected);
  return (isRecent && isSame ? 'valid' : 'invalid') satisfies SignatureVerdict;
}

/** The most events that are kept from one request; the vendor sends up to 100 at once. */
const MOST_EVENTS = 100;

const word = z
  .union([z.string(), z.number()])
  .transform(value => String(value).replaceAll('\0', '').slice(0, 100))
  .catch('');

/** A channel's message has `type`; what an app subscribes to has `subscriptionType`. Nothing else of it is looked at. */
const event = z.looseObject({ type: word, subscriptionType: word, portalId: word, eventId: word }).transform(
  ({ type, subscriptionType, portalId, eventId }): WebhookEvent => ({
    type: type || subscriptionType || 'unknown',
    portalId,
    eventId,
  }),
);

const events = z.union([z.array(event).transform(list => list.slice(0, MOST_EVENTS)), event.transform(one => [one])]);

/** One event or a list of them; undefined for anything that is neither. */
export function readEvents(body: Buffer): WebhookEvent[] | undefined {
  try {
    return events.safeParse(JSON.parse(body.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
