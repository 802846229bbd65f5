import type { Db } from '../../lib/db.ts';
import * as repo from './repo.ts';
import type { OwnJob } from './schema.ts';

/** The job was stopped, or given to another worker because this one was presumed dead: nothing more may be written. */
export class JobTaken extends Error {}

/**
 * Runs `write` in a transaction during which the job stays this worker's: a worker that takes it over waits until the
 * end. Throws {@link JobTaken} if the job was already taken.
 */
export async function whileOwned<T>(db: Db, job: OwnJob, write: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction(async trx => {
    if (!(await repo.holdJob(trx, job))) throw new JobTaken();
    return write(trx);
  });
}
