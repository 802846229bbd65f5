import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import pMap from 'p-map';
import { ClientError } from '../../../clients/errors.ts';
import type { MessengerClient, MessengerReader } from '../../../clients/messenger/types.ts';
import { secondsAfter } from '../../../lib/clock.ts';
import type { Cipher } from '../../../lib/crypto.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queue } from '../../../lib/queue.ts';
import type { Alerts } from '../../base/alerts/service.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { countCrashes, failDigest, finalizeExcerpts, markDigestsStarted } from '../../digests/writing/service.ts';
import type { SummarizerFor } from '../../messenger/consent/service.ts';
import type { MessengerAccount } from '../../messenger/schema.ts';
import { refreshDialogs, rememberFlood } from '../../messenger/service.ts';
import { type LeasedAccount, withAccount } from '../../messenger/withAccount.ts';
import { lockOwnJob, setWaitsUntil } from '../repo.ts';
import {
  CRASH_LIMIT,
  classifyFailure,
  concernsWholeAccount,
  divideByCrashes,
  startDelaySeconds,
  toSyncError,
} from '../rules.ts';
import type { OwnJob } from '../schema.ts';
import { runWhileOwned } from '../service.ts';
import { costOfFailure, type DigestDeps, DigestFailed, digestDialog } from './digestDialog.ts';
import { planAccount, planExcerptRewrites, type ReadTask } from './planAccount.ts';
import type { CrmStage } from './startCrmStage.ts';
import { createDigestWriter } from './storeDigests.ts';
import type { JobProgress } from './trackProgress.ts';

export type SyncDeps = Omit<DigestDeps, 'writer'> & {
  cipher: Cipher;
  messenger: MessengerClient;
  queue: Queue;
  log: Log;
  alerts: Alerts;
  /** Number of conversations that a sync fetches, and summarizes, at once. */
  digestConcurrency: number;
  /** How long a sync waits for the messenger when it is out of reach. */
  outagePatienceSeconds: number;
};

export type AccountSync = OwnJob & {
  /** YYYY-MM-DD */
  digestDate: string;
  config: SyncConfig;
  account: MessengerAccount;
  /** Called before a model writes. */
  onModelStart(): Promise<void>;
  progress: JobProgress;
  crm: Pick<CrmStage, 'startMatching' | 'expectNotes'>;
};

const WAIT_FOR_CONNECTION_SECONDS = 90;
const MIN_REPORTED_PAUSE_SECONDS = 10;
const MARK_BATCH = 16;
/** How often one sync reconnects because of unreadable answers; each time it lists the account's conversations again. */
const MAX_BROKEN_CONNECTIONS = 10;
/** Conversations in progress for each fetch slot: one fetched, one summarized, and two that wait to be stored. */
const DIALOGS_PER_FETCH = 4;

/**
 * Syncs a messenger account: lists conversations, then reads new messages. Reopens broken connections and waits out outages
 * and flood waits; each pass plans from stored state, so nothing is repeated. Throws if the account can't be read within a
 * job's time.
 */
export async function syncAccount(deps: SyncDeps, sync: AccountSync, signal: AbortSignal): Promise<void> {
  const { userId, account } = sync;
  const isWanted = () => lockOwnJob(deps.db, sync);
  const turn = { userId, accountId: account.id, waitSeconds: WAIT_FOR_CONNECTION_SECONDS, signal, isWanted };
  let brokenConnections = 0;
  const retryPolicy = createRetryPolicy(deps.outagePatienceSeconds);
  for (let done = sync.progress.countDone(); ; done = sync.progress.countDone()) {
    try {
      return await withAccount(deps, turn, leased => readAccount(deps, sync, leased));
    } catch (err) {
      if (sync.progress.countDone() > done) retryPolicy.reset();
      const hasDialogFailed = err instanceof DigestFailed;
      const pause = hasDialogFailed && brokenConnections++ < MAX_BROKEN_CONNECTIONS ? 0 : retryPolicy.pauseAfter(err);
      if (pause === undefined || signal.aborted) throw hasDialogFailed ? err.cause : err;
      deps.log.warn({ err, jobId: sync.jobId }, 'messenger connection broke, trying again');
      await storeWait(deps, sync, pause, err);
      await sleep(pause * 1000, undefined, { signal });
    }
  }
}

async function storeWait(deps: SyncDeps, sync: AccountSync, pause: number, err: unknown): Promise<void> {
  const isFlood = err instanceof ClientError && err.kind === 'rateLimited';
  // Pages must not list conversations during a flood wait, which would make it longer.
  if (isFlood) await rememberFlood(deps, { userId: sync.userId, accountId: sync.account.id }, err);
  const wait = { until: secondsAfter(deps.clock, pause), why: isFlood ? 'flood' : 'outage' } as const;
  if (pause > MIN_REPORTED_PAUSE_SECONDS) await setWaitsUntil(deps.db, sync, wait);
}

/**
 * At an account's first sync, reads each page of conversations before requesting the next, so that Today has the newest
 * early. Excerpts are overwritten once all have one.
 */
async function readAccount(deps: SyncDeps, sync: AccountSync, { reader, account, signal }: LeasedAccount) {
  const { userId } = sync;
  const digestRead = createPooledDigester(deps, sync, reader, signal);
  const planned = new Set<string>();
  const readListed = async (count: number) => {
    const scope = { ...sync, accountId: account.id, planned };
    const plan = await runWhileOwned(deps.db, sync, trx => planAccount({ ...deps, db: trx }, scope));
    const { toRead, overPlan, storedCount } = plan;
    const dialogIds = [...toRead.map(read => read.dialog.id), ...overPlan];
    for (const dialogId of dialogIds) planned.add(dialogId);
    await sync.progress.addPlanned(dialogIds, Math.max(0, count - storedCount));
    for (const dialogId of overPlan) await sync.progress.recordOutcome(dialogId, 'skipped');
    await readAll(deps, sync, toRead, digestRead, signal);
  };
  const write = (work: (db: Db) => Promise<void>) => runWhileOwned(deps.db, sync, work);
  const onPage = account.allDialogsListedAt === null ? readListed : undefined;
  await refreshDialogs({ write, clock: deps.clock }, { userId, account }, reader, { onPage });
  sync.crm.startMatching(account.id);
  await readListed(0);
  const rewrites = await runWhileOwned(deps.db, sync, trx => planExcerptRewrites(trx, { ...sync, accountId: account.id }));
  const dialogIds = rewrites.map(({ dialog }) => dialog.id);
  await sync.progress.addPlanned(dialogIds, 0);
  await readAll(deps, sync, rewrites, digestRead, signal);
}

type ReadOne = (read: ReadTask) => Promise<void>;

/** Reads the suspect ones of {@link divideByCrashes} last, one by one. */
async function readAll(deps: SyncDeps, sync: AccountSync, reads: ReadTask[], digestRead: ReadOne, signal: AbortSignal) {
  const { sound, suspect } = divideByCrashes(reads);
  const begun: Promise<void>[] = [];
  const begin = (read: ReadTask) => {
    const reading = digestRead(read);
    begun.push(reading);
    return reading;
  };
  const marked = markStarted(deps, sync, sound, MARK_BATCH);
  try {
    await pMap(marked, begin, { concurrency: DIALOGS_PER_FETCH * deps.digestConcurrency, signal });
  } catch (err) {
    // Conversations that were read before the connection broke are digested, not read again; none is marked any more.
    if (!signal.aborted) await Promise.allSettled([...begun, marked.return()]);
    throw err;
  }
  for await (const read of markStarted(deps, sync, suspect, 1)) await digestRead(read);
}

/** Marks rows as started before they are read, a group with each statement. */
async function* markStarted(deps: SyncDeps, sync: AccountSync, reads: ReadTask[], groupSize: number) {
  for (let from = 0; from < reads.length; from += groupSize) {
    const group = reads.slice(from, from + groupSize);
    const digestIds = group.map(({ digestId }) => digestId);
    await runWhileOwned(deps.db, sync, trx => markDigestsStarted(trx, { userId: sync.userId, digestIds }));
    yield* group;
  }
}

/** Two pools of the same size: while some conversations are summarized, the next ones are fetched. */
function createPooledDigester(deps: SyncDeps, sync: AccountSync, reader: MessengerReader, signal: AbortSignal): ReadOne {
  const [fetching, summarizing] = [pLimit(deps.digestConcurrency), pLimit(deps.digestConcurrency)];
  const pooledReader: MessengerReader = { ...reader, history: (peer, range) => fetching(() => reader.history(peer, range)) };
  const summarizerFor: SummarizerFor = async conversation => {
    const chosen = await deps.summarizerFor(conversation);
    if (chosen.isInstant) return chosen;
    await sync.onModelStart();
    return { ...chosen, summarize: (...args) => summarizing(() => chosen.summarize(...args)) };
  };
  const writer = createDigestWriter({ ...deps, accountId: sync.account.id, crm: sync.crm }, sync);
  const pooled = { ...deps, writer, summarizerFor };
  return read => digestOne(pooled, sync, pooledReader, read, signal);
}

/**
 * The error of one conversation is recorded and the others go on, unless it concerns all of them. An answer that the
 * messenger library can't read breaks the connection for everything that is being read on it: as after a crash, each of
 * these is then read alone, and the one that breaks it again fails. Throws its DigestFailed then.
 */
async function digestOne(
  deps: SyncDeps & Pick<DigestDeps, 'writer'>,
  sync: AccountSync,
  reader: MessengerReader,
  read: ReadTask,
  signal: AbortSignal,
): Promise<void> {
  const { userId, jobId, attempt, account, config, progress } = sync;
  const userName = [account.firstName, account.lastName].join(' ').trim();
  try {
    const task = { userId, jobId, attempt, userName, config, ...read };
    const { outcome, failure } = await digestDialog(deps, reader, task, signal);
    if (failure) deps.log.warn({ err: failure.cause, jobId, dialogId: read.dialog.id }, 'digest is an excerpt');
    const error = failure && toSyncError(failure.stage, classifyFailure(failure.stage, failure.cause), read.dialog);
    if (outcome !== 'later') await progress.recordOutcome(read.dialog.id, outcome, error);
  } catch (err) {
    if (!(err instanceof DigestFailed)) throw err;
    const isUnparsable = err.cause instanceof ClientError && err.cause.code === 'PARSER_POISONED';
    if (signal.aborted || (!isUnparsable && concernsWholeAccount(err.cause))) throw err.cause;
    if (isUnparsable && read.crashes === 0) {
      await runWhileOwned(deps.db, sync, trx => countCrashes(trx, sync, CRASH_LIMIT));
      throw err;
    }
    const reason = classifyFailure(err.stage, err.cause);
    deps.log.warn({ err: err.cause, jobId, dialogId: read.dialog.id }, 'conversation not digested');
    const { digestId, coversSameMessages } = read;
    const { messageCount } = err;
    const failed = { userId, digestId, reason, messageCount, now: deps.clock.now() };
    await runWhileOwned(deps.db, sync, async trx => {
      // An excerpt whose messages can't be read again becomes final; after any other failure a later sync tries once more.
      if (coversSameMessages && isUnparsable) await finalizeExcerpts(trx, { userId, digestIds: [digestId] });
      else await failDigest(trx, { ...failed, ...costOfFailure(err, deps.tokenPrices) });
    });
    const error = toSyncError(err.stage, reason, read.dialog);
    await progress.recordOutcome(read.dialog.id, coversSameMessages ? 'digested' : 'failed', error);
    if (isUnparsable) throw err;
  }
}

/** Longer floods end the job; shorter ones are waited for. */
export const MAX_FLOOD_WAIT_SECONDS = 300;
const MAX_FLOODS = 2;
/** The next sync starts after at most this many times the patience: an hour for five minutes. */
const MAX_PAUSE_FACTOR = 12;

/**
 * Decides how long one sync of an account waits for the messenger: for a few flood waits, and for one outage.
 * @param patienceSeconds longest wait for an outage; pauses between tries double from one second up to a fifth of it
 */
export function createRetryPolicy(patienceSeconds: number, now: () => number = () => performance.now()) {
  let floods = 0;
  let tries = 0;
  let endsAt = 0;
  return {
    /** Seconds until the account is tried again; undefined when the job should end. */
    pauseAfter(err: unknown): number | undefined {
      if (!(err instanceof ClientError)) return undefined;
      if (err.kind === 'rateLimited') {
        const wait = err.retryAfterSeconds ?? 60;
        return floods++ < MAX_FLOODS && wait <= MAX_FLOOD_WAIT_SECONDS ? wait : undefined;
      }
      if (err.kind !== 'temporary') return undefined;
      if (tries === 0) endsAt = now() + patienceSeconds * 1000;
      const left = (endsAt - now()) / 1000;
      return left > 0 ? Math.min(2 ** tries++, patienceSeconds / 5, left) : undefined;
    },
    /** Call it when something was read: the next failure then counts as a new outage. */
    reset() {
      tries = 0;
    },
  };
}

/**
 * Seconds until another sync, after an outage that was too long for this one: the patience, doubled for each earlier
 * sync in a row that ended the same way, and spread across users, since an outage ends for everybody at once.
 */
export function pauseAfterOutage({ userId, outages }: { userId: string; outages: number }, patienceSeconds: number) {
  const pause = patienceSeconds * Math.min(2 ** outages, MAX_PAUSE_FACTOR);
  return Math.ceil(pause / 2 + startDelaySeconds(userId, pause / 2));
}
