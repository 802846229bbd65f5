import { setTimeout as sleep } from 'node:timers/promises';
import { type Envelope, signatureOf } from '../../test/features/billing/events.ts';

const PATIENCE_MS = 120_000;
const PAUSE_MS = 150;

/**
 * Delivers as the vendor does: signed anew at each try, until the answer is a success.
 * @returns how many tries were answered with 500, how many with anything else, and how many with nothing
 */
export async function deliverAll(
  webUrl: string,
  events: readonly Envelope[],
  options: { sideBySide: number; onDelivered?: (done: number) => void },
): Promise<{ failed: number; unexpected: number; unanswered: number }> {
  const outcome = { failed: 0, unexpected: 0, unanswered: 0 };
  const waiting = [...events].reverse();
  let done = 0;

  async function deliver(event: Envelope): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    const payload = JSON.stringify(event);
    for (;;) {
      const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signatureOf(payload) };
      const status = await statusOf(`${webUrl}/api/webhooks/payments`, { method: 'POST', headers, body: payload });
      if (status === 200) return;
      outcome[status === 0 ? 'unanswered' : status === 500 ? 'failed' : 'unexpected'] += 1;
      if (Date.now() > end) throw new Error(`still ${status} for ${event.type}`);
      await sleep(PAUSE_MS);
    }
  }

  async function work(): Promise<void> {
    for (let event = waiting.pop(); event; event = waiting.pop()) {
      await deliver(event);
      done += 1;
      options.onDelivered?.(done);
    }
  }

  await Promise.all(Array.from({ length: options.sideBySide }, work));
  return outcome;
}

/** 0 where the other side is killed before it answers. */
export async function statusOf(url: string, request: RequestInit): Promise<number> {
  try {
    const answer = await fetch(url, request);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
