import { z } from 'zod';

export type WebhookEvent = { type: string; portalId: string; eventId: string };

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
export function readEvents(body: Uint8Array): WebhookEvent[] | undefined {
  try {
    return events.safeParse(JSON.parse(Buffer.from(body).toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
