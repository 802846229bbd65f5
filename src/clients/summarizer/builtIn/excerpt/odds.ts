import { SIGNALS, type Signals } from './signals.ts';

/** What is asked of each message: whether something new begins with it, and whether it would be missed. */
export const HEADS = ['opens', 'matters'] as const;
type Head = (typeof HEADS)[number];

/** Log odds. */
export type Odds = Record<Head, number>;
export type Weights = Record<Head, Record<'bias' | (typeof SIGNALS)[number], number>>;

export function oddsOf(signals: Signals, weights: Weights): Odds {
  const of = (head: Head) =>
    SIGNALS.reduce((sum, name) => sum + weights[head][name] * signals[name], weights[head].bias);
  return { opens: of('opens'), matters: of('matters') };
}
