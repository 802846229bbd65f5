import { setTimeout as sleep } from 'node:timers/promises';
import { createFaultPlan, type Fault, type Faults } from '../faultPlan.ts';
import { listen } from '../listen.ts';
import { createActions } from './actions.ts';
import { createPaymentsApp } from './app.ts';
import { type Deliveries, startDeliveries } from './deliveries.ts';
import type { Event, Price, Subscription } from './records.ts';
import { Refusal } from './refusals.ts';
import { openPaymentsState } from './state.ts';

export type PaymentsSandboxOptions = {
  /** 0: any. */
  port: number;
  /** Made when missing. Holds what survives the process. */
  stateDir: string;
  secretKey: string;
  webhookSecret: string;
  prices: readonly Price[];
  /** The service's webhook; events wait until it is known. */
  webhookUrl?: string;
};

/** Kinds are those of {@link PaymentsSandbox.calls}. */
type PaymentsFault = Pick<Fault, 'status' | 'delayMs'>;

export type PaymentsSandbox = {
  /** The address of its API and of its pages. */
  url: string;
  /** Calls of the API by kind, such as `POST checkout/sessions`. */
  calls(): Record<string, number>;
  /** The faults of its API. */
  faults: Faults<PaymentsFault>;
  subscriptions(): readonly Readonly<Subscription>[];
  /** The events, and how their delivery went. */
  events(): readonly Readonly<Event>[];
  deliverTo(webhookUrl: string): void;
  stop(): Promise<void>;
};

/**
 * A payment provider of our own on loopback, with Stripe's paths and shapes. Rejects when the port is taken; throws
 * StartError when the state is not ours.
 */
export async function startPaymentsSandbox(options: PaymentsSandboxOptions): Promise<PaymentsSandbox> {
  const { secretKey, webhookSecret, webhookUrl, stateDir, prices } = options;
  const state = openPaymentsState({ stateDir, prices });
  let deliveries: Deliveries | undefined;
  const actions = createActions(state, () => deliveries?.wake());
  const counts = new Map<string, number>();
  const faults = createFaultPlan<PaymentsFault>();
  let url = '';
  const count = async (kind: string) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const { status, delayMs } = faults.take({ kind });
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    if (status !== undefined) throw new Refusal(status, { message: 'This was asked for.' });
  };
  const app = createPaymentsApp({ state, actions, secretKey, url: () => url, count });
  const server = await listen(app, options.port);
  url = server.url;
  const started = startDeliveries({ state, secret: webhookSecret, url: webhookUrl });
  deliveries = started;
  return {
    url,
    calls: () => Object.fromEntries(counts),
    faults,
    subscriptions: () => state.subscriptions,
    events: () => state.events,
    deliverTo: started.deliverTo,
    async stop() {
      await started.stop();
      await server.stop();
    },
  };
}
