import { ClientError } from '../../clients/errors.ts';
import { localDay } from '../../lib/timezones.ts';
import { failUnfinished } from '../digests/repo.ts';
import { AccountBusy } from '../messenger/lease.ts';
import { listAccounts } from '../messenger/service.ts';
import { getSettings } from '../settings/service.ts';
import { openProgress, type ProgressBook } from './progress.ts';
import { startJob } from './repo.ts';
import type { SyncPayload } from './schema.ts';
import { type SyncDeps, syncAccount } from './syncAccount.ts';
import { toSyncError } from './trouble.ts';

/**
 * Does the work of one sync job, or goes on with it after a crash. Ends `completed` when anything could be read,
 * with the troubles of single conversations listed; `failed` when nothing could run at all. Only trouble of our own
 * (the database gone, a bug) is thrown: then the queue hands the job out again.
 */
export async function runSync(deps: SyncDeps, { userId, jobId }: SyncPayload, signal: AbortSignal): Promise<void> {
  const config = await getSettings(deps, { userId });
  const now = deps.clock.now();
  const started = await startJob(deps.db, { userId, jobId }, { today: localDay(now, config.timezone), now });
  if (!started) return;

  const { job, digestDate } = started;
  const progress = await openProgress(deps, { userId, job });
  const accounts = await listAccounts(deps, { userId });
  const active = accounts.filter(account => account.status === 'active');
  if (active.length === 0) reportNoAccount(progress, accounts.some(isDead));

  let anyRead = false;
  for (const account of active) {
    try {
      await syncAccount(deps, { userId, jobId, digestDate, config, account, progress }, signal);
      anyRead = true;
    } catch (err) {
      if (signal.aborted || !(err instanceof ClientError || err instanceof AccountBusy)) throw err;
      deps.log.warn({ err, jobId, accountId: account.id }, 'account not synced');
      const trouble = toSyncError('connect', err);
      await failUnfinished(deps.db, { userId, jobId, reason: trouble.code, now: deps.clock.now() });
      progress.addError(trouble);
    }
  }
  const state = anyRead || progress.hasOutcomes() ? 'completed' : 'failed';
  await progress.finish(state);
  deps.log.info({ jobId, state }, 'sync finished');
}

function isDead(account: { status: string }): boolean {
  return account.status === 'expired' || account.status === 'banned';
}

function reportNoAccount(progress: ProgressBook, wasSignedOut: boolean) {
  const cause = wasSignedOut
    ? new ClientError({ service: 'messenger', kind: 'auth', code: 'SESSION_EXPIRED' })
    : new AccountBusy();
  progress.addError(toSyncError('connect', cause));
}
