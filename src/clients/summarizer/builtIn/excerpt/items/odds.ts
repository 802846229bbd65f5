import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ITEM_SIGNALS, type ItemSignals } from './signals.ts';

/**
 * What is asked of each candidate: whether an answer is still waited for, and whether something promised, asked for or
 * agreed on is still to be done.
 */
export const ITEM_HEADS = ['waits', 'binds'] as const;
export type ItemHead = (typeof ITEM_HEADS)[number];
/** A signal that has not been learned from yet has no weight. */
export type ItemWeights = Record<ItemHead, { bias: number } & Partial<ItemSignals>>;

/** Log odds. */
export function itemOdds(signals: ItemSignals, weights: ItemWeights[ItemHead]): number {
  return ITEM_SIGNALS.reduce((sum, name) => sum + (weights[name] ?? 0) * signals[name], weights.bias);
}

const head = z.strictObject({ bias: z.number() }).and(z.partialRecord(z.enum(['bias', ...ITEM_SIGNALS]), z.number()));
const schema = z.strictObject({ waits: head, binds: head });

/** Trained by `bench/items/train.ts` on labelled days. */
export function readItemWeights(): ItemWeights {
  return schema.parse(JSON.parse(readFileSync(new URL('./weights.json', import.meta.url), 'utf8'))) as ItemWeights;
}
