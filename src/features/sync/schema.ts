import { z } from 'zod';
import { rowReader } from '../../lib/db.ts';
import { countField } from '../../lib/fields.ts';
import { type QueueDefinition, RETRY_FOREVER } from '../../lib/queue.ts';
import { MAIL_JOBS } from '../base/mailing/schema.ts';

/**
 * One queued or running sync per user. A dead worker's job is resumed without counting as a try: a sync is safe to restart.
 */
export const SYNC_QUEUE = {
  name: 'sync',
  policy: 'exclusive',
  ...RETRY_FOREVER,
  expireInSeconds: 6 * 3600,
  retryDelay: 1,
  retryDelayMax: 5,
  // The result of a sync is stored elsewhere, and the queue counts all its rows every few seconds.
  deleteAfterSeconds: 3600,
  // The heartbeat reports a queue that backs up; the queue itself would do so every few seconds.
  warningQueueSize: 1_000_000,
} as const satisfies QueueDefinition;

/** A sync that starts later, as the messenger is out of reach, or asked to wait, for longer than a job waits. */
export const SYNC_LATER_QUEUE = {
  name: 'sync-later',
  policy: 'short',
  retryLimit: 1000,
  retryDelay: 5,
} as const satisfies QueueDefinition;

/** Finds, every minute, whose daily sync is due. Two workers running it at once share the users. */
export const DAILY_SYNC_QUEUE = {
  name: 'sync-daily',
  cron: '* * * * *',
  policy: 'short',
  retryLimit: 0,
  heartbeatSeconds: 10,
} as const satisfies QueueDefinition;

/** A day's digests may be mailed: one job for each sync that ends. Handled by the feature that shows the day. */
export const DIGEST_MAIL_QUEUE = { name: 'digest-mail', ...MAIL_JOBS } as const satisfies QueueDefinition;

/** `jobId` of the day's sync, `day` as YYYY-MM-DD. */
export const digestMailPayload = z.object({
  userId: z.string(),
  jobId: z.string(),
  day: z.iso.date(),
  askedAt: z.iso.datetime(),
  /** The sync may still be running: the email goes out only if it waits for a model. */
  isEarly: z.boolean().exactOptional(),
});
export type DigestMailPayload = z.output<typeof digestMailPayload>;

/** State carried over from a sync that ended early: its day and consecutive outages. */
const continuation = z.object({ day: z.iso.date(), outages: z.int().nonnegative() });
export type Continuation = z.output<typeof continuation>;

export const syncLaterPayload = continuation.extend({ userId: z.string() });
export type SyncLaterPayload = z.output<typeof syncLaterPayload>;

export const syncPayload = z.object({ userId: z.string(), jobId: z.string() });
export type SyncPayload = z.output<typeof syncPayload>;

const SYNC_KINDS = ['manual', 'daily', 'retry'] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

const SYNC_STATES = ['waiting', 'active', 'completed', 'failed'] as const;
export type SyncState = (typeof SYNC_STATES)[number];

const syncError = z.object({
  dialogId: z.string().nullable(),
  peerName: z.string().nullable(),
  stage: z.enum(['connect', 'fetch', 'match', 'summarize', 'crm', 'plan']),
  code: z.enum([
    'MESSENGER_NOT_CONNECTED',
    'SESSION_EXPIRED',
    'FLOOD_WAIT',
    'AI_BAD_OUTPUT',
    'AI_UNAVAILABLE',
    'CRM_AUTH',
    'CRM_RATE_LIMIT',
    'CRM_CONTACT_GONE',
    'CRM_REFUSED',
    'CRM_UNAVAILABLE',
    'PLAN_LIMIT',
    'TIMEOUT',
    'MESSENGER_UNAVAILABLE',
  ]),
  message: z.string(),
  retryable: z.boolean(),
});

/** The error of one conversation, or of the connection (then without a conversation). It never fails the job on its own. */
export type SyncError = z.output<typeof syncError>;

const syncResult = z.strictObject({
  dialogsProcessed: z.int(),
  digestsCreated: z.int(),
  notesCreated: z.int(),
  errors: z.array(syncError),
});
export type SyncResult = z.output<typeof syncResult>;

export const triggeredJson = z.strictObject({ jobId: z.string() });

export const syncStatusJson = z
  .strictObject({ state: z.enum([...SYNC_STATES, 'not_found']), progress: z.int().min(0).max(100), result: syncResult })
  .meta({ id: 'SyncStatus' });
export type SyncStatusJson = z.output<typeof syncStatusJson>;

/** A job as one start of it knows it: `attempt` counts the starts. */
export type OwnJob = { userId: string; jobId: string; attempt: number };

export const syncJob = z
  .object({
    id: z.string(),
    /** The queue's own id of it. */
    queueId: z.string(),
    /** Its id for someone who requested a sync while this scheduled one was open. */
    requestedAs: z.string().nullable(),
    kind: z.enum(SYNC_KINDS),
    state: z.enum(SYNC_STATES),
    total: z.number(),
    done: z.number(),
    dialogsProcessed: z.number(),
    digestsCreated: z.number(),
    notesCreated: z.number(),
    errors: z.array(syncError),
    /** Set while the messenger makes us wait. */
    waitsUntil: z.date().nullable(),
    waitsFor: z.enum(['flood', 'outage']).nullable(),
    /** Set if it ended early: when another one resumes it. */
    retryAt: z.date().nullable(),
    /** Number of consecutive earlier syncs ended by an outage. */
    outages: z.number(),
    createdAt: z.date(),
    startedAt: z.date().nullable(),
    finishedAt: z.date().nullable(),
  })
  .transform(({ dialogsProcessed, digestsCreated, notesCreated, errors, ...job }) => {
    const share = job.total === 0 ? 0 : Math.min(99, Math.floor((100 * job.done) / job.total));
    return {
      ...job,
      /** Percent; 100 only when completed. */
      progress: job.state === 'completed' ? 100 : share,
      result: { dialogsProcessed, digestsCreated, notesCreated, errors } satisfies SyncResult,
    };
  });
export const syncJobRow = rowReader(syncJob, { conversations_total: 'total', conversations_done: 'done' });
export type SyncJob = z.output<typeof syncJob>;

/** Any length and shape is accepted: an id without a job is simply not found. */
export const statusInput = z.object({ jobId: z.string().min(1, 'This is missing.') });

/** State shown by a polling page, in its address. Invalid parts count as missing. */
export const followQuery = z
  .object({
    job: z.string().max(200).catch(''),
    /** Digests the sync had written when the page was loaded: they are on it. */
    seen: countField,
    /** The number of digests that the page last announced. */
    announced: countField,
    from: z.literal('empty').optional().catch(undefined),
    idle: z.literal('1').optional().catch(undefined),
    line: z.literal('1').optional().catch(undefined),
  })
  .transform(({ from, idle, line, ...rest }) => ({
    ...rest,
    /** An empty page may be replaced: nothing moves under the reader. */
    fromEmpty: from === 'empty',
    /** The sync was over when the page was last updated: it only asks whether another one has begun. */
    isIdle: idle === '1',
    /** The page has only the line that says how far it reaches. */
    isLine: line === '1',
  }));
export type Follow = z.output<typeof followQuery>;
