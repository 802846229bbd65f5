import Stripe from 'stripe';
import { eventBody } from './bodies.ts';
import type { Event } from './records.ts';
import type { PaymentsState } from './state.ts';

export type Deliveries = {
  /** Delivers the events that are due. */
  wake(): void;
  /** @param url where the service takes events */
  deliverTo(url: string): void;
  stop(): Promise<void>;
};

/** The vendor tries for three days; so a machine that was off at night gets the events in the morning. */
const PAUSES_MS = [1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 3_600_000];
const MAX_TRIES = 90;
const ANSWER_MS = 15_000;

/** Sends events to the service, signed by the vendor's own library, and retries until it answers with success. */
export function startDeliveries(options: { state: PaymentsState; secret: string; url: string | undefined }): Deliveries {
  const { state, secret } = options;
  const signer = new Stripe('sk_test_unused').webhooks;
  const ending = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let { url } = options;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    clearTimeout(timer);
    if (url === undefined || ending.signal.aborted) return;
    const waiting = state.events.filter(({ id, dueAt }) => dueAt !== null && !underWay.has(id));
    const now = Date.now();
    for (const event of waiting) if ((event.dueAt ?? 0) <= now) begin(event, url);
    const next = Math.min(...waiting.map(({ dueAt }) => dueAt ?? 0).filter(dueAt => dueAt > now));
    if (Number.isFinite(next)) timer = setTimeout(wake, next - now);
  }

  function begin(event: Event, target: string): void {
    const ended = deliver(event, target).finally(() => {
      underWay.delete(event.id);
      wake();
    });
    underWay.set(event.id, ended);
  }

  async function deliver(event: Event, target: string): Promise<void> {
    const answer = await send(event, target);
    if (ending.signal.aborted) return;
    event.tries += 1;
    event.answer = answer;
    const isAccepted = answer >= 200 && answer < 300;
    const pause = PAUSES_MS[Math.min(event.tries, PAUSES_MS.length) - 1] ?? 0;
    event.dueAt = isAccepted || event.tries >= MAX_TRIES ? null : Date.now() + pause;
    state.save({ kind: 'events', record: event });
  }

  /** The status; 0 when there was no answer. */
  async function send(event: Event, target: string): Promise<number> {
    const payload = JSON.stringify(eventBody(event));
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': signer.generateTestHeaderString({ payload, secret }),
    };
    try {
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(ANSWER_MS)]);
      const response = await fetch(target, { method: 'POST', headers, body: payload, signal, redirect: 'manual' });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  wake();
  return {
    wake,
    deliverTo(target) {
      url = target;
      wake();
    },
    async stop() {
      ending.abort();
      clearTimeout(timer);
      await Promise.all(underWay.values());
    },
  };
}
