import { z } from 'zod';
import { rowReader } from '../../lib/db.ts';
import type { QueueDefinition } from '../../lib/queue.ts';

export const PLANS = ['STARTER', 'PRO', 'ENTERPRISE'] as const;
export type Plan = (typeof PLANS)[number];

export const planName = z.enum(PLANS);

export const eventTakenJson = z.strictObject({ received: z.literal(true) });

const optionalText = z.string().nullable();
const optionalDate = z.date().nullable();

/** All that is known of one subscription. */
const subscription = z.object({
  subscriptionId: z.string(),
  userId: optionalText,
  /** The order itself named the user. Otherwise the customer or the email address led to them. */
  userIsCertain: z.boolean(),
  customerId: optionalText,
  plan: planName.nullable(),
  priceId: optionalText,
  /** Order keys of the newest event for plan, status and period; greater is newer. */
  planVersion: z.string(),
  /** Status in the provider's own terms. */
  status: optionalText,
  /** When a live subscription is going to end. */
  endsAt: optionalDate,
  statusVersion: z.string(),
  periodEnd: optionalDate,
  periodVersion: z.string(),
  startedAt: optionalDate,
  lastEventAt: optionalDate,
});
export const subscriptionRow = rowReader(subscription, { current_period_end: 'periodEnd' });
export type Subscription = z.output<typeof subscription>;

/** Cancels a deleted account's subscription. The provider may be down for days, so it is retried for two months. */
export const CANCEL_QUEUE = {
  name: 'billing-cancel',
  policy: 'standard',
  retryLimit: 1400,
  retryDelay: 20,
  retryBackoff: true,
  retryDelayMax: 3600,
  retentionSeconds: 60 * 86_400,
} as const satisfies QueueDefinition;

export const cancelPayload = z.object({ subscriptionId: z.string() });
export type CancelPayload = z.output<typeof cancelPayload>;
