import { type Db, deleteFound } from '../../lib/db.ts';

type Old = { before: Date; limit: number };

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

/** Lines of CRM accounts that nobody has stood in since then. @returns how many */
export async function deleteThrottlesBefore(db: Db, { before, limit }: Old): Promise<number> {
  const old = db.queryBuilder().where('next_at', '<', before).limit(limit);
  return deleteFound(db, 'crm_throttles', ['portal_id', 'kind'], old);
}
