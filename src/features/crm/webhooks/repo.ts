import { type Db, deleteOlder, type Sweep } from '../../../lib/db.ts';
import type { WebhookEvent } from './rules.ts';

/** Ids and types only. An event belongs to an account of the CRM, not to a user. */
export async function insertWebhookEvents(
  db: Db,
  events: readonly WebhookEvent[],
  { receivedAt }: { receivedAt: Date },
): Promise<void> {
  if (events.length === 0) return;
  await db('crm_webhook_events').insert(
    events.map(event => ({
      event_type: event.type,
      portal_id: event.portalId,
      event_id: event.eventId,
      received_at: receivedAt,
    })),
  );
}

/** Adds one delivery to its hour (UTC). @returns how many that hour has now */
export async function countWebhook(
  db: Db,
  { column, receivedAt }: { column: 'refused' | 'unverified'; receivedAt: Date },
): Promise<number> {
  const hour = new Date(receivedAt);
  hour.setUTCMinutes(0, 0, 0);
  const [row] = await db('crm_webhook_counts')
    .insert({ hour, [column]: 1 })
    .onConflict('hour')
    .merge({ [column]: db.raw('crm_webhook_counts.?? + 1', [column]) })
    .returning<Record<string, string>[]>(column);
  return Number(row?.[column]);
}

/** @returns how many */
export async function deleteWebhookEventsBefore(db: Db, sweep: Sweep): Promise<number> {
  return deleteOlder(db, 'crm_webhook_events', { key: ['id'], column: 'received_at' }, sweep);
}

/** Hours of counted deliveries. @returns how many */
export async function deleteWebhookCountsBefore(db: Db, sweep: Sweep): Promise<number> {
  return deleteOlder(db, 'crm_webhook_counts', { key: ['hour'], column: 'hour' }, sweep);
}
