import { z } from 'zod';
import type { QueueDefinition } from '../../lib/queue.ts';

/** Sends what is due. One waits while one is at work, so that an alert of the last moment is not left behind. */
export const ALERT_QUEUE = {
  name: 'alerts',
  policy: 'short',
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 600,
  retryLimit: 3,
  retryDelay: 5,
} as const satisfies QueueDefinition;

/** Brings up what was gathered for an hour, and what somebody died over. */
export const ALERT_CRON = '* * * * *';

const ALERT_LEVELS = ['info', 'warn', 'error', 'revenue'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

const ALERT_SOURCES = ['sync', 'messenger', 'summarizer', 'crm', 'payments', 'mailer', 'users', 'heartbeat'] as const;
export type AlertSource = (typeof ALERT_SOURCES)[number];

/** What an operator should hear of. Holds no user content and no secret: ids, counts and codes only. */
export type Alert = {
  level: AlertLevel;
  source: AlertSource;
  /** A stable word for the kind of event, for example `SESSION_EXPIRED`. */
  kind: string;
  about: Record<string, string | number>;
};

/** Alerts of one kind, gathered into one message. */
export type StoredAlert = Alert & {
  id: string;
  count: number;
  isRepeat: boolean;
  firstAt: Date;
  lastAt: Date;
  dueAt: Date;
  state: 'waiting' | 'sent' | 'logged' | 'refused';
  /** Failed tries to send it. */
  tries: number;
  /** Somebody is about to send it. */
  sendingSince: Date | null;
  settledAt: Date | null;
};

export const alertRow = z
  .object({
    id: z.string(),
    level: z.enum(ALERT_LEVELS),
    source: z.enum(ALERT_SOURCES),
    kind: z.string(),
    about: z.record(z.string(), z.union([z.string(), z.number()])),
    count: z.number(),
    is_repeat: z.boolean(),
    first_at: z.date(),
    last_at: z.date(),
    due_at: z.date(),
    state: z.enum(['waiting', 'sent', 'logged', 'refused']),
    tries: z.number(),
    sending_since: z.date().nullable(),
    settled_at: z.date().nullable(),
  })
  .transform(
    (row): StoredAlert => ({
      id: row.id,
      level: row.level,
      source: row.source,
      kind: row.kind,
      about: row.about,
      count: row.count,
      isRepeat: row.is_repeat,
      firstAt: row.first_at,
      lastAt: row.last_at,
      dueAt: row.due_at,
      state: row.state,
      tries: row.tries,
      sendingSince: row.sending_since,
      settledAt: row.settled_at,
    }),
  );
