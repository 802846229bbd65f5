import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../lib/clock.ts';
import { createFairTurns } from '../../../lib/fairTurns.ts';
import { ClientError } from '../../errors.ts';
import { createDayBudget } from '../dayBudget.ts';
import { sayTruncated, truncateDay } from '../truncateDay.ts';
import type { Summarizer, Summary } from '../types.ts';
import type { Answer, Asked } from './readingThread.ts';

const FILE = new URL('./readingThread.ts', import.meta.url);
/** Whatever a conversation holds, it ends the thread before it ends the process. */
const MEMORY = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 32 };
/** Milliseconds of the thread's CPU, so that a busy machine changes nothing. The longest day takes half a second. */
const LONGEST_READING = 3_000;
const LOOK_EVERY_MS = 250;
const LONGEST_IDLE_MS = 600_000;
/** Milliseconds of the thread's CPU a day: a thousand everyday conversations, or thirty of the longest. */
const DAY_OF_USER = 10_000;

export type ThreadOptions = {
  /** Tells only when a user's day is over. */
  clock: Clock;
  /** What the thread runs. */
  file?: URL;
  longestMs?: number;
  dayMs?: number;
};

export type ThreadedSummarizer = Summarizer & { close(): Promise<void> };

type Thread = { worker: Worker; isUp: Promise<unknown> };

/** The thread ended without an answer: out of time or of memory. */
class ThreadEnded extends Error {}

/**
 * The built-in summarizer in a thread of its own: no one's words hold up the process, fill its memory, or stay in it. It
 * reads one conversation at a time, and gives all users who wait the same share of its time. A conversation that takes
 * too long, and those of a user who had the day's share, are truncated, and their digests say so.
 */
export function createThreadedSummarizer(options: ThreadOptions): ThreadedSummarizer {
  const { clock, file = FILE, longestMs = LONGEST_READING, dayMs = DAY_OF_USER } = options;
  const turns = createFairTurns();
  const budget = createDayBudget(dayMs, clock);
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): Thread {
    const worker = new Worker(file, { execArgv: [], resourceLimits: MEMORY });
    const forget = () => {
      if (thread?.worker === worker) thread = undefined;
    };
    worker.on('error', forget).on('exit', forget).unref();
    const { promise: isUp, resolve } = Promise.withResolvers();
    worker.once('message', resolve);
    return { worker, isUp };
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.worker.terminate();
  }

  /** Throws {@link ThreadEnded}, and what the reading threw. */
  async function read(owner: string, asked: Asked): Promise<unknown> {
    clearTimeout(idle);
    thread ??= start();
    const current = thread;
    const { worker } = current;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const fail = () => reject(new ThreadEnded('the reading thread ended'));
    // While it reads, the process has something to wait for.
    worker.once('exit', fail).ref();
    let looking: NodeJS.Timeout | undefined;
    try {
      await Promise.race([current.isUp, promise]);
      const before = await cpuOf(worker);
      looking = setInterval(async () => {
        if ((await cpuOf(worker)) - before > longestMs) fail();
      }, LOOK_EVERY_MS);
      worker.once('message', resolve).postMessage(asked);
      const answer = await promise;
      budget.spend(owner, answer.cpuMs);
      if ('error' in answer) throw answer.error;
      return answer.result;
    } catch (err) {
      if (!(err instanceof ThreadEnded)) throw err;
      budget.spend(owner, longestMs);
      await end();
      throw err;
    } finally {
      clearInterval(looking);
      worker.off('message', resolve).off('exit', fail).unref();
      idle = setTimeout(end, LONGEST_IDLE_MS).unref();
    }
  }

  /** In the owner's turn: in full, and truncated where that takes too long or the owner had the day's share. */
  function ask<T>(asked: Asked, signal?: AbortSignal): Promise<{ result: T; isTruncated: boolean }> {
    const owner = asked.request.owner ?? '';
    const truncated = { ...asked, request: truncateDay(asked.request) } as Asked;
    const isLong = truncated.request !== asked.request;
    const work = async () => {
      const ways = isLong ? [...(budget.isSpent(owner) ? [] : [asked]), truncated] : [asked];
      for (const way of ways) {
        if (isClosed || signal?.aborted) throw timedOut('temporary');
        try {
          return { result: (await read(owner, way)) as T, isTruncated: way === truncated };
        } catch (err) {
          if (!(err instanceof ThreadEnded)) throw err;
        }
      }
      throw timedOut(isClosed ? 'temporary' : 'permanent');
    };
    return turns.take(owner, work, { isLong: isLong && !budget.isSpent(owner) });
  }

  return {
    isInstant: true,
    async summarize(request, { signal } = {}) {
      const { result, isTruncated } = await ask<Summary>({ what: 'summarize', request }, signal);
      return isTruncated ? sayTruncated(result) : result;
    },
    readClosings: async request =>
      (await ask<Awaited<ReturnType<Summarizer['readClosings']>>>({ what: 'readClosings', request })).result,
    readWaits: async request =>
      (await ask<Awaited<ReturnType<Summarizer['readWaits']>>>({ what: 'readWaits', request })).result,
    async close() {
      isClosed = true;
      await end();
    },
  };
}

/** Milliseconds so far, also of a thread that is stuck; 0 for one that has ended, and before Node 24.6. */
async function cpuOf(worker: Worker): Promise<number> {
  const used = await worker.cpuUsage?.().catch(() => undefined);
  return used ? (used.user + used.system) / 1000 : 0;
}

function timedOut(kind: 'temporary' | 'permanent'): ClientError {
  return new ClientError({ service: 'summarizer', kind, code: 'TIMEOUT' });
}
