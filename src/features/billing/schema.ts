import { z } from 'zod';

export const PLANS = ['STARTER', 'PRO', 'ENTERPRISE'] as const;
export type Plan = (typeof PLANS)[number];

export const subscriptionRow = z
  .object({ plan: z.enum(PLANS), is_live: z.boolean() })
  .transform(row => ({ plan: row.plan, isLive: row.is_live }));

export type Subscription = z.output<typeof subscriptionRow>;
