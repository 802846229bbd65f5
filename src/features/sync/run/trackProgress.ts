import type { Timed } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { listJobOutcomes } from '../../digests/repo.ts';
import * as repo from '../repo.ts';
import { isCrmStage } from '../rules.ts';
import type { OwnJob, SyncError, SyncJob } from '../schema.ts';

/** The outcome of one conversation. `empty`: there was nothing to read after all, or the user deleted its digest meanwhile. */
export type DialogOutcome = 'digested' | 'skipped' | 'failed' | 'empty';

const UNWRITTEN: Partial<Record<string, DialogOutcome>> = { SKIPPED: 'skipped', FAILED: 'failed' };

const WRITE_EVERY_MS = 500;

/**
 * The counts of a running job, written to its row as it goes, at most twice a second. Resumes those of a job taken from a
 * dead worker, by conversation, so that nothing counts twice.
 */
export async function trackProgress(deps: Timed, { own, job }: { own: OwnJob; job: SyncJob }) {
  const planned = new Set<string>();
  const outcomes = new Map<string, DialogOutcome>();
  const dialogErrors = job.result.errors.filter(e => e.dialogId && !isCrmStage(e));
  const errors = new Map(dialogErrors.map(e => [e.dialogId, e]));
  const otherErrors: SyncError[] = [];
  let notesCreated = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let stillExpected = 0;

  for (const { dialogId, writingState } of await listJobOutcomes(deps.db, own)) {
    outcomes.set(dialogId, UNWRITTEN[writingState] ?? 'digested');
    planned.add(dialogId);
  }

  const countProgress = (): repo.Progress => {
    const all = [...outcomes.values()];
    return {
      total: planned.size + stillExpected,
      done: all.length,
      dialogsProcessed: all.filter(outcome => outcome !== 'empty').length,
      digestsCreated: all.filter(outcome => outcome === 'digested').length,
      notesCreated,
      errors: [...otherErrors, ...errors.values()],
    };
  };
  const write = async () => {
    writtenAt = performance.now();
    await repo.writeProgress(deps.db, own, countProgress());
  };

  return {
    /** @param expected estimated number of further conversations */
    async addPlanned(dialogIds: string[], expected: number): Promise<void> {
      stillExpected = expected;
      for (const id of dialogIds) planned.add(id);
      await write();
    },
    async recordOutcome(dialogId: string, outcome: DialogOutcome, error?: SyncError): Promise<void> {
      outcomes.set(dialogId, outcome);
      errors.delete(dialogId);
      if (error) errors.set(dialogId, error);
      if (performance.now() - writtenAt >= WRITE_EVERY_MS) await write();
    },
    /** An error that belongs to no conversation, such as a connection that failed. */
    addError(error: SyncError): void {
      otherErrors.push(error);
    },
    setNotes(count: number): void {
      notesCreated = count;
    },
    write,
    /** Number of conversations with an outcome so far. */
    countDone: () => outcomes.size,
    countDigests: () => countProgress().digestsCreated,
    /** `alongside` is part of the transaction that ends the job. Undefined for a job that is already over. */
    async finish(state: 'completed' | 'failed', alongside: (trx: Db) => Promise<void>) {
      const progress = countProgress();
      return deps.db.transaction(async trx => {
        const hasEnded = await repo.finishJob(trx, own, { state, progress, now: deps.clock.now() });
        if (hasEnded) await alongside(trx);
        return hasEnded ? progress : undefined;
      });
    },
  };
}
export type JobProgress = Awaited<ReturnType<typeof trackProgress>>;
