import type { Timed } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queued } from '../../../lib/queue.ts';
import { formatCount, formatQuantity } from '../../../lib/words.ts';
import { type Alerts, notify } from '../../base/alerts/service.ts';
import { settleNotesOfAllUsers } from '../../outbox/notes/service.ts';
import { sweepOrphans } from '../account/service.ts';
import { countOldOfAllUsers, deleteOldOfAllUsers, OLD_TABLES, type OldTable } from './repo.ts';
import { isUnusuallyLarge } from './rules.ts';
import { CLEAN_UP_QUEUE, type CleanUpPayload, type DeletionCounts } from './schema.ts';

type Deps = Timed & { alerts: Alerts; log: Log };

/** Deletes at most `limit` rows and returns how many. */
type DeleteBatch = (limit: number) => Promise<number>;

/** Rows per statement, so that none holds its locks for long. */
const AT_ONCE = 1000;
/** Sync jobs per statement: deleting one changes all the digests and notes that refer to it. */
const JOBS_AT_ONCE = 50;

/**
 * Deletes expired rows in small steps. Safe in several processes, as each skips rows that another is deleting; a failed step
 * doesn't stop the next ones. Rate limits and short-lived browser sessions expire in their own stores, silent workers by the
 * heartbeat. If an unusual share would be deleted, does nothing until the operator confirms.
 */
export async function cleanUp(
  deps: Deps,
  signal: AbortSignal,
  { confirmed, atOnce = AT_ONCE }: CleanUpPayload & { atOnce?: number } = {},
): Promise<void> {
  if (!(await mayDelete(deps, confirmed))) return;
  const counts: Record<string, number> = {};
  let failures = 0;
  for (const [what, forget] of Object.entries(stepsOf(deps))) {
    try {
      counts[what] = await deleteAll(forget, Math.min(atOnce, what === 'sync_jobs' ? JOBS_AT_ONCE : atOnce), signal);
    } catch (err) {
      if (signal.aborted) throw err;
      deps.log.error({ err, what }, 'clean-up failed');
      failures++;
    }
  }
  deps.log.info({ counts }, 'cleaned up');
  if (failures > 0) throw new Error(`clean-up: ${failures} steps failed`);
}

/** False where unusually many rows would go, as with a wrong clock, and the operator has not confirmed that many today. */
async function mayDelete(deps: Deps, confirmed: DeletionCounts | undefined): Promise<boolean> {
  const { isUnusual, loss, about } = await countDeletions(deps);
  if (!isUnusual) return true;
  const { day, digests, promises } = confirmed ?? { day: '', digests: 0, promises: 0 };
  if (day === loss.day && digests >= loss.digests && promises >= loss.promises) return true;
  notify(deps, { level: 'error', source: 'heartbeat', kind: 'CLEAN_UP_HELD', about });
  return false;
}

async function countDeletions({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const [digests, promises] = await Promise.all([
    countOldOfAllUsers(db, 'digests', clock.now()),
    countOldOfAllUsers(db, 'promises', clock.now()),
  ]);
  // In UTC: a person's own day differs by at most one.
  const day = clock.now().toISOString().slice(0, 10);
  const loss: DeletionCounts = { day, digests: digests.old, promises: promises.old };
  return {
    isUnusual: isUnusuallyLarge(digests) || isUnusuallyLarge(promises),
    loss,
    about: { ...loss, ofDigests: digests.all, ofPromises: promises.all },
  };
}

async function deleteAll(forget: DeleteBatch, limit: number, signal: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    signal.throwIfAborted();
    const gone = await forget(limit);
    total += gone;
    if (gone < limit) return total;
  }
}

/** The steps by table. Notes come behind the digests, as deleted ones may leave some that need settling. */
function stepsOf({ db, clock }: Deps): Record<string, DeleteBatch> {
  const byAge = OLD_TABLES.map((table): [OldTable, DeleteBatch] => [
    table,
    limit => deleteOldOfAllUsers(db, table, { now: clock.now(), limit }),
  ]);
  const sweep = () => sweepOrphans({ db }).then(() => 0);
  return { ...Object.fromEntries(byAge), outbox_notes: limit => settleNotesOfAllUsers(db, { limit }), orphans: sweep };
}

/**
 * Begins a clean-up that deletes unusually much. Returns what to tell the operator.
 * @param typed how many rows the operator agrees to lose; undefined to learn how many they would be
 */
export async function confirmCleanUp({ queue, ...deps }: Queued, typed: string | undefined): Promise<string> {
  const { isUnusual, loss } = await countDeletions(deps);
  if (!isUnusual) return `No clean-up waits on ${loss.day}, UTC.`;
  const rows = loss.digests + loss.promises;
  if (typed !== String(rows)) return composeConfirmation(loss, rows);
  const payload: CleanUpPayload = { confirmed: loss };
  if (!(await queue.send(CLEAN_UP_QUEUE.name, payload))) return 'A clean-up is about to begin. Try again in a minute.';
  return `Confirmed: ${formatCount(rows)} rows may be deleted on ${loss.day}, UTC. A worker begins now.`;
}

function composeConfirmation({ day, digests, promises }: DeletionCounts, rows: number): string {
  const lost = `${formatQuantity(digests, 'digest', 'digests')} and ${formatQuantity(promises, 'promise', 'promises')}`;
  return [
    `The database says it is ${day}, UTC. The clean-up would delete ${lost} that are over a year old then.`,
    `If that is right: npm run confirm-clean-up -- ${rows}`,
  ].join('\n');
}
