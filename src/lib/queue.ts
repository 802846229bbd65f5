import { PgBoss, type QueueOptions } from 'pg-boss';
import { z } from 'zod';
import type { Timed } from './clock.ts';
import { connectionSettings, type TimeoutProfile } from './db.ts';
import type { Log } from './log.ts';

/**
 * The queue's timers count by this clock: one that was set back by a year would have them wait for a year. It is never
 * set, and the queue itself measures how far the database's is from it.
 */
const STEADY_CLOCK = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work: () => void, ms: number) => setInterval(work, ms),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
};

/** The job queue, whose workers can be told to take no more jobs for a while. */
export class Queue extends PgBoss {
  readonly #workers: (() => Promise<void>)[] = [];
  readonly #names = new Set<string>();
  #isResting = false;

  /** @param startWorkers makes workers of the queue `name` take jobs, now and each time it takes jobs again */
  async addWorkers(name: string, startWorkers: () => Promise<void>): Promise<void> {
    this.#names.add(name);
    this.#workers.push(startWorkers);
    if (!this.#isResting) await startWorkers();
  }

  /** Takes no more jobs. Those that were taken are worked on to their end. */
  async stopTaking(): Promise<void> {
    if (this.#isResting) return;
    this.#isResting = true;
    for (const name of this.#names) await this.offWork(name, { wait: false });
  }

  async resumeTaking(): Promise<void> {
    if (!this.#isResting) return;
    this.#isResting = false;
    for (const startWorkers of this.#workers) await startWorkers();
  }
}

/** The database, a clock and the queue: for functions that also queue jobs. */
export type Queued = Timed & { queue: Queue };

/**
 * The job queue in the service's own Postgres.
 * @param options.works true in the worker, which also looks after retries and dead workers; false where jobs are only sent
 */
export function createQueue(options: {
  url: string;
  works: boolean;
  pool: number;
  log: Log;
  /** Default: `job` where it works on jobs, else `page`. */
  patience?: TimeoutProfile;
}): Queue {
  const patience = options.patience ?? (options.works ? 'job' : 'page');
  const boss = new Queue({
    ...connectionSettings(options.url, patience),
    application_name: 'forenoon-queue',
    max: options.pool,
    supervise: options.works,
    // Scheduled jobs are queued even when no worker is running.
    schedule: true,
    useListenNotify: options.works,
    // A dead worker's job should not have to wait for a check once a minute.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 3600,
    clock: STEADY_CLOCK,
    clockMonitorIntervalSeconds: 10,
  });
  boss.on('error', err => options.log.error({ err }, 'job queue error'));
  boss.on('warning', warning => {
    // The steady clock may be far from the database's, which does no harm and is measured again and again.
    if (!/clock skew/i.test(warning.message)) options.log.warn({ warning: warning.message }, 'job queue warning');
  });
  return boss;
}

/** Creates the queue's own tables, so that no process has to at its first request. */
export async function installQueue(url: string, log: Log): Promise<void> {
  const boss = createQueue({ url, works: false, pool: 1, log, patience: 'long' });
  await boss.start();
  await boss.stop({ graceful: false });
}

export type QueueDefinition = QueueOptions & {
  name: string;
  policy: 'standard' | 'short' | 'stately' | 'exclusive';
  /** Schedule on which its jobs are created. */
  cron?: string;
  notify?: boolean;
  /** Seconds without a heartbeat after which a worker loses its job; at least 10. */
  heartbeatSeconds?: number;
  /** Number of waiting jobs that is logged. Default 10,000. */
  warningQueueSize?: number;
};

/** Work that is never given up: a dead worker's jobs are soon taken over, failed ones are retried ever less often. */
export const RETRY_FOREVER = { notify: true, heartbeatSeconds: 10, retryLimit: 1000, retryBackoff: true } as const;

/** For scheduled jobs, which need no retry before the next run. */
export const SCHEDULED = { policy: 'exclusive', retryLimit: 0 } as const;

/** For jobs that do one user's work. */
export const userJobData = z.object({ userId: z.string() });
export type UserJobData = z.output<typeof userJobData>;

export type JobHandler = (job: { data: unknown; signal: AbortSignal }) => Promise<void>;

type WorkOptions = { concurrency: number; everySeconds?: number; always?: boolean; handle: JobHandler };

/**
 * Takes jobs of one queue, up to `concurrency` side by side in this process.
 * @param options.everySeconds how often it polls for jobs it was not notified of (default 1)
 * @param options.always even while the others take none
 */
export async function workOn(queue: Queue, definition: QueueDefinition, options: WorkOptions): Promise<void> {
  const startWorkers = () => takeJobs(queue, definition, options);
  return options.always ? startWorkers() : queue.addWorkers(definition.name, startWorkers);
}

async function takeJobs(queue: Queue, definition: QueueDefinition, options: WorkOptions): Promise<void> {
  const settings = {
    pollingIntervalSeconds: options.everySeconds ?? 1,
    notifyPollingIntervalSeconds: options.everySeconds ?? 2,
  };
  for (let n = 0; n < options.concurrency; n++) {
    // Notified of more work, each takes the next job at once instead of waiting for the next poll.
    const id: string = await queue.work(definition.name, settings, async jobs => {
      try {
        for (const job of jobs) await options.handle({ data: job.data, signal: job.signal });
      } finally {
        queue.notifyWorker(id);
      }
    });
  }
}

/** Creates the queues that are not there yet. A queue's policy can't be changed later. */
export async function createQueues(queue: Queue, definitions: readonly QueueDefinition[]): Promise<void> {
  for (const { name, cron, ...options } of definitions) await queue.createQueue(name, options);
}
