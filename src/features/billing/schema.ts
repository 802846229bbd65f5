import { z } from 'zod';
import type { QueueDefinition } from '../../lib/queue.ts';

export const PLANS = ['STARTER', 'PRO', 'ENTERPRISE'] as const;
export type Plan = (typeof PLANS)[number];

export const planName = z.enum(PLANS);

export const eventTakenJson = z.strictObject({ received: z.literal(true) });

const optionalText = z.string().nullable();
const optionalDate = z.date().nullable();

export const subscriptionRow = z.compile(
  z
    .object({
      subscription_id: z.string(),
      user_id: optionalText,
      user_is_certain: z.boolean(),
      customer_id: optionalText,
      plan: planName.nullable(),
      price_id: optionalText,
      plan_mark: z.string(),
      status: optionalText,
      ends_at: optionalDate,
      status_mark: z.string(),
      current_period_end: optionalDate,
      period_mark: z.string(),
      started_at: optionalDate,
      last_event_at: optionalDate,
    })
    .transform(row => ({
      subscriptionId: row.subscription_id,
      userId: row.user_id,
      /** The order itself named the user. Otherwise the customer or the email address led to them. */
      userIsCertain: row.user_is_certain,
      customerId: row.customer_id,
      plan: row.plan,
      priceId: row.price_id,
      /** Which event this is from; greater for newer ones. Plan, status and period each have their own newest event. */
      planMark: row.plan_mark,
      /** The provider's word. */
      status: row.status,
      /** When it ends although it is alive. */
      endsAt: row.ends_at,
      statusMark: row.status_mark,
      periodEnd: row.current_period_end,
      periodMark: row.period_mark,
      startedAt: row.started_at,
      lastEventAt: row.last_event_at,
    })),
);

/** All that is known of one subscription. */
export type Subscription = z.output<typeof subscriptionRow>;

/**
 * Ends a subscription whose account is gone. The provider may be down for days: it is asked again, in the end once an
 * hour, for two months.
 */
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
