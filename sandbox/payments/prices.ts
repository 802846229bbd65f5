import type { Price } from './records.ts';

type PriceIds = Partial<Record<'starter' | 'pro' | 'enterprise', string | undefined>>;

/** A price of each plan, under these ids where an operator has chosen them. */
export function samplePrices(ids: PriceIds = {}): Price[] {
  return [
    { id: ids.starter ?? 'price_starter', productId: 'prod_starter', name: 'Starter', amount: 900 },
    { id: ids.pro ?? 'price_pro', productId: 'prod_pro', name: 'Pro', amount: 2900 },
    { id: ids.enterprise ?? 'price_enterprise', productId: 'prod_enterprise', name: 'Enterprise', amount: 9900 },
  ];
}

/** The environment that maps these prices to the plans in this order. */
export function priceVariables(prices: readonly Price[]): Record<string, string> {
  const [starter, pro, enterprise] = prices.map(({ id }) => id);
  return {
    PAYMENT_STARTER_PRICE_ID: starter ?? '',
    PAYMENT_PRO_PRICE_ID: pro ?? '',
    PAYMENT_ENTERPRISE_PRICE_ID: enterprise ?? '',
  };
}
