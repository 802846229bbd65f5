import { z } from 'zod';
import { SUMMARY_STYLES, type SummaryStyle } from '../../../clients/summarizer/types.ts';
import type { QueueDefinition } from '../../../lib/queue.ts';

/** Rewrites one digest. If the messenger's connection is in use, the job comes back soon, which is a retry here. */
export const REGENERATE_QUEUE = {
  name: 'regenerate',
  policy: 'standard',
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 1800,
  retryLimit: 2000,
  retryDelay: 2,
} as const satisfies QueueDefinition;

export const regeneratePayload = z.object({ userId: z.string(), digestId: z.string(), requestId: z.string() });
export type RegeneratePayload = z.output<typeof regeneratePayload>;

export const regenerateInput = z.object({ style: z.enum(SUMMARY_STYLES, `Choose one of ${SUMMARY_STYLES.join(', ')}.`) });

export const REWRITE_STATES = ['waiting', 'active', 'failed'] as const;

/** A digest that is to be rewritten in another style. */
export type Rewrite = {
  style: SummaryStyle;
  state: (typeof REWRITE_STATES)[number];
  /** Why it failed. */
  reason: string | null;
};

/** Beyond the usual reasons of a failed digest. */
export const MESSAGES_GONE = 'MESSAGES_GONE';
/** A sync has read newer messages, so it is a different digest by now. */
export const WRITTEN_MEANWHILE = 'WRITTEN_MEANWHILE';
export const REWRITE_LOST = 'REWRITE_LOST';
