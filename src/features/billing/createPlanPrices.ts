import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentsClient, PriceFacts } from '../../clients/payments/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Prices } from './rules.ts';
import { PLANS, type Plan } from './schema.ts';

/** What the plans cost, as far as it is known. */
export type PlanPrices = Partial<Record<Plan, PriceFacts>>;

type Deps = { payments: PaymentsClient | undefined; prices: Prices; clock: Clock; log: Log };

const FRESH_MS = 3_600_000;
const FAILED_MS = 60_000;
const PATIENCE_MS = 1000;

/**
 * Asks the provider what the plans cost, at most once an hour per process. Until the prices are known, pages wait a
 * moment for the answer; none hangs or fails when the provider doesn't answer.
 */
export function createPlanPrices({ payments, prices, clock, log }: Deps): () => Promise<PlanPrices> {
  let known: PlanPrices | undefined;
  let asking: Promise<void> | undefined;
  let againAt = 0;

  async function ask(client: PaymentsClient): Promise<void> {
    try {
      known = await readAll(client, prices);
      againAt = clock.now().getTime() + FRESH_MS;
    } catch (err) {
      log.warn({ err }, 'prices of the plans not read');
      againAt = clock.now().getTime() + FAILED_MS;
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (payments && clock.now().getTime() >= againAt) asking ??= ask(payments);
    if (asking && !known) await Promise.race([asking, sleep(PATIENCE_MS)]);
    return known ?? {};
  };
}

async function readAll(client: PaymentsClient, prices: Prices): Promise<PlanPrices> {
  const read = async (plan: Plan, priceId: string) => [plan, await client.readPrice(priceId)] as const;
  const found = await Promise.all(PLANS.flatMap(plan => (prices[plan] ? [read(plan, prices[plan])] : [])));
  return Object.fromEntries(found.filter(([, price]) => price !== undefined));
}
