import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { closeCovered, completeDigests, listPresent, type WrittenDigest } from '../../digests/writing/service.ts';
import { advanceCursors } from '../../messenger/dialogs/service.ts';
import type { Answer, Closing } from '../../promises/fromDigests/schema.ts';
import { applyClosings, keepIdentities, recordPromises } from '../../promises/fromDigests/service.ts';
import type { Asked } from '../../promises/waiting/schema.ts';
import { recordWaits } from '../../promises/waiting/service.ts';
import type { OwnJob } from '../schema.ts';
import { whileOwned } from '../service.ts';
import type { CrmSide } from './openCrmSide.ts';

/** A digest with where its conversation's cursor goes, and who wrote in it. */
type FinishedDigest = WrittenDigest & {
  dialogId: string;
  /** YYYY-MM-DD */
  digestDate: string;
  hasOpenRows: boolean;
  userWrote: boolean;
  peerWrote: boolean;
  /** What its messages say about promises made before. */
  closings: Closing[];
  /** What they ask of the user. */
  asked: Asked;
  /** What the user answered in them. */
  answers: Answer[];
};

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
    const { completed: stored, present } = await whileOwned(deps.db, job, async trx => {
      const said = group.map(({ digest }) => digest);
      const digests = await keepIdentities(trx, { userId }, said);
      const completed = await completeDigests(trx, { userId, now }, digests);
      const moved = digests.filter(({ digestId }) => completed.has(digestId));
      const cursors = moved.map(({ lastMessageId, ...digest }) => ({ ...digest, messageId: lastMessageId }));
      for (const { dialogId, closings } of moved)
        if (closings.length > 0) await applyClosings(trx, { userId, dialogId, now }, closings);
      await recordPromises(trx, { userId, now }, moved);
      await recordWaits(
        trx,
        { userId },
        moved.map(({ asked }) => asked),
      );
      await advanceCursors(trx, userId, cursors, now);
      for (const digest of moved) if (digest.hasOpenRows) await closeCovered(trx, { ...digest, userId });
      await deps.crm.expectNotes(trx, deps.accountId, moved);
      const missing = digests.map(({ digestId }) => digestId).filter(id => !completed.has(id));
      const present = missing.length > 0 ? await listPresent(trx, { userId, digestIds: missing }) : new Set<string>();
      return { completed, present };
    });
    for (const { digest, done } of group) {
      if (!present.has(digest.digestId)) done.resolve(stored.has(digest.digestId));
      else done.reject(new Error('this digest was taken over by another sync'));
    }
  } catch (err) {
    for (const { done } of group) done.reject(err);
  }
}
