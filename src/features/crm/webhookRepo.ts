import type { Db } from '../../lib/db.ts';
import type { SignatureVerdict, WebhookEvent } from './webhookRules.ts';

/** Ids and types only. An event belongs to an account of the CRM, not to a user. */
export async function insertWebhookEvents(
  db: Db,
  events: readonly WebhookEvent[],
  about: { signature: SignatureVerdict; receivedAt: Date },
): Promise<void> {
  if (events.length === 0) return;
  await db('crm_webhook_events').insert(
    events.map(event => ({
      event_type: event.type,
      portal_id: event.portalId,
      event_id: event.eventId,
      signature: about.signature,
      received_at: about.receivedAt,
    })),
  );
}
