import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Envelope, seconds, signatureOf } from '../../test/features/billing/events.ts';
import { statusOf } from './deliver.ts';

/** Signatures that must not count. */
const SIGNATURES: Record<string, (payload: string) => string | undefined> = {
  wrong: payload => signatureOf(`${payload} `),
  missing: () => undefined,
  old: payload => signatureOf(payload, { timestamp: seconds(new Date()) - 3600 }),
  foreign: payload => signatureOf(payload, { secret: 'whsec_foreign' }),
};

/** Delivers each event once more as a newer one, in turns with one of these signatures. Returns the statuses answered. */
export async function deliverForged(webUrl: string, events: readonly Envelope[]): Promise<Map<string, number[]>> {
  const answered = new Map<string, number[]>(Object.keys(SIGNATURES).map(kind => [kind, []]));
  const kinds = Object.entries(SIGNATURES);
  for (const [n, event] of events.entries()) {
    const [kind, sign] = kinds[n % kinds.length] as (typeof kinds)[number];
    const body = JSON.stringify({ ...event, id: `evt_forged_${randomUUID()}`, created: event.created + 1_000_000 });
    const signature = sign(body);
    const headers = { 'Content-Type': 'application/json', ...(signature && { 'Stripe-Signature': signature }) };
    let status = 0;
    while (status === 0) {
      status = await statusOf(`${webUrl}/api/webhooks/payments`, { method: 'POST', headers, body });
      if (status === 0) await sleep(150);
    }
    answered.get(kind)?.push(status);
  }
  return answered;
}
