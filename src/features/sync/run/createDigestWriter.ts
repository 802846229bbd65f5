import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { listPresent } from '../../digests/writing/service.ts';
import type { OwnJob } from '../schema.ts';
import { whileOwned } from '../service.ts';
import type { CrmSide } from './openCrmSide.ts';
import { type FinishedDigest, storeDigests } from './storeDigests.ts';

export type DigestWriter = {
  /**
   * Resolves once the digest and its cursor are stored, in one transaction; to false if its person deleted it meanwhile:
   * its messages are not read again, and those after the cursor come with the next sync. Rejects if another sync took
   * the row.
   */
  write(digest: FinishedDigest): Promise<boolean>;
};

type WriterDeps = { db: Db; clock: Clock; accountId: string; crm: Pick<CrmSide, 'expectNotes'> };
type Waiting = { digest: FinishedDigest; done: PromiseWithResolvers<boolean> };

/** Milliseconds from one group to the next: a dozen conversations are read meanwhile, and stored with as many statements as one. */
const GATHER_MS = 150;

/**
 * Stores digests by group commit, as databases do: digests finished while one transaction is under way, or soon after
 * the last one began, go into the next one together.
 */
export function createDigestWriter(deps: WriterDeps, job: OwnJob): DigestWriter {
  let waiting: Waiting[] = [];
  let isWriting = false;
  let begunAt = Number.NEGATIVE_INFINITY;

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      await sleep(Math.max(0, begunAt + GATHER_MS - performance.now()));
      begunAt = performance.now();
      const group = waiting;
      waiting = [];
      await store(deps, job, group);
    }
    isWriting = false;
  }

  return {
    write(digest) {
      const done = Promise.withResolvers<boolean>();
      waiting.push({ digest, done });
      if (!isWriting) void writeWaiting();
      return done.promise;
    },
  };
}

/** Never rejects: each digest of the group gets its own outcome. */
async function store(deps: WriterDeps, job: OwnJob, group: Waiting[]): Promise<void> {
  const { userId } = job;
  const now = deps.clock.now();
  try {
    const { stored, present } = await whileOwned(deps.db, job, async trx => {
      const finished = group.map(({ digest }) => digest);
      const written = await storeDigests(trx, { userId, now }, finished);
      await deps.crm.expectNotes(
        trx,
        deps.accountId,
        written.filter(({ isExcerpt }) => !isExcerpt),
      );
      const stored = new Set(written.map(({ digestId }) => digestId));
      const missing = finished.map(({ digestId }) => digestId).filter(id => !stored.has(id));
      const present = missing.length > 0 ? await listPresent(trx, { userId, digestIds: missing }) : new Set<string>();
      return { stored, present };
    });
    for (const { digest, done } of group) {
      if (!present.has(digest.digestId)) done.resolve(stored.has(digest.digestId));
      else done.reject(new Error('this digest was taken over by another sync'));
    }
  } catch (err) {
    for (const { done } of group) done.reject(err);
  }
}
