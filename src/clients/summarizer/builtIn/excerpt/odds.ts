import { SIGNALS, type Signals } from './signals.ts';

export type Weights = Record<'bias' | (typeof SIGNALS)[number], number>;

/** Log odds that a message would be missed. */
export function oddsOf(signals: Signals, weights: Weights): number {
  return SIGNALS.reduce((sum, name) => sum + weights[name] * signals[name], weights.bias);
}
