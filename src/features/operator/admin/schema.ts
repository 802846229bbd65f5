import { z } from 'zod';
import { rowReader } from '../../../lib/db.ts';
import type { QueueDefinition } from '../../../lib/queue.ts';
import type { AlertLevel } from '../../base/alerts/schema.ts';
import { DIGEST_STATUSES } from '../../digests/schema.ts';

export const adminStatusJson = z.strictObject({
  users: z.strictObject({ total: z.int(), paying: z.int() }),
  syncs_24h: z.record(z.enum(DIGEST_STATUSES), z.int()),
  uptime: z.int().meta({ description: 'How long this process has been up, in whole seconds' }),
  timestamp: z.iso.datetime(),
});
export type AdminStatus = z.output<typeof adminStatusJson>;

/** Checks every 15 minutes whether something is wrong. */
export const HEARTBEAT_QUEUE = {
  name: 'heartbeat',
  cron: '*/15 * * * *',
  policy: 'exclusive',
  retryLimit: 2,
  retryDelay: 10,
} as const satisfies QueueDefinition;

/** At 08:00 UTC. */
export const DAILY_SUMMARY_QUEUE = {
  name: 'daily-summary',
  cron: '0 8 * * *',
  policy: 'exclusive',
  retryLimit: 5,
  retryDelay: 30,
} as const satisfies QueueDefinition;

export type Problem = {
  kind:
    | 'NO_WORKER'
    | 'WORKER_SILENT'
    | 'QUEUE_BACKING_UP'
    | 'SYNCS_FAILING'
    | 'DIGESTS_FAILING'
    | 'SYNCS_OVERDUE'
    | 'SESSIONS_EXPIRED'
    | 'DATABASE_SLOW';
  level: Extract<AlertLevel, 'warn' | 'error'>;
  about: Record<string, number>;
};

/** A problem reported to the operator. */
const reported = z.object({ kind: z.string(), since: z.date(), notifiedAt: z.date() });
export const reportedRow = rowReader(reported);
export type Reported = z.output<typeof reported>;
