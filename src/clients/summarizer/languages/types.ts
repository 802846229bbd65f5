/** What a business conversation may be about to change. The product's own words, in English in every language. */
export const DEAL_SIGNALS = [
  'price',
  'discount',
  'budget',
  'contract',
  'renewal',
  'cancellation',
  'order',
  'invoice',
  'payment',
  'demo',
  'delivery',
  'competitor',
] as const;

export type DealSignal = (typeof DEAL_SIGNALS)[number];
