import { type Db, deleteFound } from '../../lib/db.ts';
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

export type Old = { before: Date; limit: number };

/** @returns how many */
export async function deleteWebhookEventsBefore(db: Db, { before, limit }: Old): Promise<number> {
  const old = db.queryBuilder().where('received_at', '<', before).limit(limit);
  return deleteFound(db, 'crm_webhook_events', ['id'], old);
}

/** Hours of counted deliveries. @returns how many */
export async function deleteWebhookCountsBefore(db: Db, { before, limit }: Old): Promise<number> {
  const old = db.queryBuilder().where('hour', '<', before).limit(limit);
  return deleteFound(db, 'crm_webhook_counts', ['hour'], old);
}
