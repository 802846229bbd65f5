import { z } from 'zod';
import { rowReader } from '../../../lib/db.ts';
import type { QueueDefinition } from '../../../lib/queue.ts';

/**
 * Sends what is due, also what was gathered for an hour and what a crashed process left behind. One job may wait while
 * another runs, so that an alert of the last moment isn't left behind; only one runs at a time.
 */
export const ALERT_QUEUE = {
  name: 'alerts',
  cron: '* * * * *',
  policy: 'stately',
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 600,
  retryLimit: 3,
  retryDelay: 5,
} as const satisfies QueueDefinition;

const ALERT_LEVELS = ['info', 'warn', 'error', 'revenue'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

const ALERT_SOURCES = ['sync', 'messenger', 'summarizer', 'crm', 'payments', 'mailer', 'users', 'heartbeat'] as const;
export type AlertSource = (typeof ALERT_SOURCES)[number];

/** An alert for the operator. Holds no user content and no secret: ids, counts and codes only. */
const alert = z.object({
  level: z.enum(ALERT_LEVELS),
  source: z.enum(ALERT_SOURCES),
  /** A stable word for the kind of event, for example `SESSION_EXPIRED`. */
  kind: z.string(),
  about: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Alert = z.output<typeof alert>;

/** Alerts of one kind, gathered into one message. */
const storedAlert = z.object({
  ...alert.shape,
  id: z.string(),
  count: z.number(),
  isRepeat: z.boolean(),
  firstAt: z.date(),
  lastAt: z.date(),
  dueAt: z.date(),
  state: z.enum(['waiting', 'sent', 'logged', 'refused']),
  /** Failed tries to send it. */
  tries: z.number(),
  settledAt: z.date().nullable(),
});
export const alertRow = rowReader(storedAlert);
export type StoredAlert = z.output<typeof storedAlert>;
