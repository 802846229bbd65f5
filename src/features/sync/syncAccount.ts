import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import { ClientError } from '../../clients/errors.ts';
import type { MessengerClient, MessengerReader } from '../../clients/messenger/types.ts';
import { secondsAfter } from '../../lib/clock.ts';
import type { Cipher } from '../../lib/crypto.ts';
import type { Log } from '../../lib/log.ts';
import { advanceCursors, listDialogsOfAccount } from '../dialogs/repo.ts';
import { isTracked } from '../dialogs/rules.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { storeDialogList } from '../dialogs/service.ts';
import { failDigest, listNewestCoverage, queueDigests } from '../digests/repo.ts';
import { withAccount } from '../messenger/lease.ts';
import { setDialogsListed } from '../messenger/repo.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import type { SyncConfig } from '../settings/schema.ts';
import { type DigestDeps, DigestFailed, digestDialog } from './digestDialog.ts';
import type { ProgressBook } from './progress.ts';
import { setWaitsUntil } from './repo.ts';
import { planConversation } from './rules.ts';
import { concernsWholeAccount, toSyncError } from './trouble.ts';

export type SyncDeps = DigestDeps & { cipher: Cipher; messenger: MessengerClient; log: Log; digestConcurrency: number };

export type AccountSync = {
  userId: string;
  jobId: string;
  /** YYYY-MM-DD */
  digestDate: string;
  config: SyncConfig;
  account: MessengerAccount;
  progress: ProgressBook;
};

const CONNECTION_TRIES = 3;
/** Longer floods end the job; shorter ones are waited for. */
const LONGEST_FLOOD_WAIT_SECONDS = 300;
const WAIT_FOR_CONNECTION_SECONDS = 90;

/**
 * Syncs one messenger account: one pass over its list of conversations, then what is new in each. A connection that
 * breaks is opened again, a flood wait is waited for; what was done stays done, because each pass plans anew from
 * what is stored. Throws when the account can't be read at all.
 */
export async function syncAccount(deps: SyncDeps, sync: AccountSync, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const turn = {
        userId: sync.userId,
        accountId: sync.account.id,
        waitSeconds: WAIT_FOR_CONNECTION_SECONDS,
        signal,
      };
      return await withAccount(deps, turn, (reader, lost) => readAccount(deps, sync, reader, lost));
    } catch (err) {
      const pause = pauseBeforeNextTry(err, tries);
      if (pause === undefined || signal.aborted) throw err;
      deps.log.warn({ err, jobId: sync.jobId, tries }, 'messenger connection broke, trying again');
      if (pause > 10) await setWaitsUntil(deps.db, sync, secondsAfter(deps.clock, pause));
      await sleep(pause * 1000, undefined, { signal });
    }
  }
}

/** Seconds, or undefined when trying again can't help. */
function pauseBeforeNextTry(err: unknown, tries: number): number | undefined {
  if (!(err instanceof ClientError) || tries >= CONNECTION_TRIES) return undefined;
  if (err.kind === 'temporary') return tries;
  const wait = err.kind === 'rateLimited' ? (err.retryAfterSeconds ?? 60) : Number.POSITIVE_INFINITY;
  return wait <= LONGEST_FLOOD_WAIT_SECONDS ? wait : undefined;
}

async function readAccount(
  deps: SyncDeps,
  sync: AccountSync,
  reader: MessengerReader,
  signal: AbortSignal,
): Promise<void> {
  const owned = { userId: sync.userId, accountId: sync.account.id };
  await storeDialogList(deps, owned, reader);
  await setDialogsListed(deps.db, owned, deps.clock.now());
  const planned = await planAccount(deps, sync);
  await sync.progress.plan(planned.map(work => work.dialog.id));
  const digestIds = await queueDigests(
    deps.db,
    { userId: sync.userId, jobId: sync.jobId, digestDate: sync.digestDate, now: deps.clock.now() },
    planned.map(({ dialog, afterMessageId }) => ({
      dialogId: dialog.id,
      afterMessageId,
      lastMessageId: dialog.topMessageId,
      lastMessageAt: dialog.lastMessageAt,
    })),
  );
  const work = planned.map(plan => ({ ...plan, digestId: digestIds.get(plan.dialog.id) ?? '' }));
  await pMap(work, one => digestOne(deps, sync, reader, one, signal), { concurrency: deps.digestConcurrency, signal });
}

type PlannedRead = { dialog: Dialog; afterMessageId: number; limit: number };

/** What there is to read. Conversations too old for a first sync get their cursor on the way. */
async function planAccount(deps: SyncDeps, sync: AccountSync): Promise<PlannedRead[]> {
  const owned = { userId: sync.userId, accountId: sync.account.id };
  const dialogs = await listDialogsOfAccount(deps.db, owned);
  const newest = new Map((await listNewestCoverage(deps.db, owned)).map(coverage => [coverage.dialogId, coverage]));
  const newestAt = new Date(Math.max(0, ...dialogs.map(dialog => dialog.lastMessageAt?.getTime() ?? 0)));
  const context = { today: sync.digestDate, newestAt, minMessages: sync.config.minMessages };
  const reads: PlannedRead[] = [];
  const moves: { dialogId: string; messageId: number }[] = [];
  for (const dialog of dialogs.filter(one => isTracked(one, sync.config))) {
    const plan = planConversation(dialog, newest.get(dialog.id), context);
    if (plan.kind === 'read') reads.push({ dialog, afterMessageId: plan.afterMessageId, limit: plan.limit });
    if (plan.kind === 'advance') moves.push({ dialogId: dialog.id, messageId: dialog.topMessageId });
  }
  await advanceCursors(deps.db, sync.userId, moves, deps.clock.now());
  return reads;
}

/** One conversation's trouble is written down and the others go on, unless it is everybody's trouble. */
async function digestOne(
  deps: SyncDeps,
  sync: AccountSync,
  reader: MessengerReader,
  planned: PlannedRead & { digestId: string },
  signal: AbortSignal,
): Promise<void> {
  const { userId, config, account, progress } = sync;
  const userName = [account.firstName, account.lastName].join(' ').trim();
  try {
    const outcome = await digestDialog(deps, reader, { userId, userName, config, ...planned }, signal);
    await progress.note(planned.dialog.id, outcome);
  } catch (err) {
    if (!(err instanceof DigestFailed) || signal.aborted || concernsWholeAccount(err.cause)) throw unwrap(err);
    const trouble = toSyncError(err.stage, err.cause, planned.dialog);
    deps.log.warn({ err: err.cause, jobId: sync.jobId, dialogId: planned.dialog.id }, 'conversation not digested');
    await failDigest(deps.db, { userId, digestId: planned.digestId, reason: trouble.code, now: deps.clock.now() });
    await progress.note(planned.dialog.id, 'failed', trouble);
  }
}

function unwrap(err: unknown): unknown {
  return err instanceof DigestFailed ? err.cause : err;
}
