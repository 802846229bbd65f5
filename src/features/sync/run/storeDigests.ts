import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Timed } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { closeCovered, completeDigests, listPresent, type WrittenDigest } from '../../digests/writing/service.ts';
import { advanceCursors } from '../../messenger/dialogs/service.ts';
import type { AnsweredQuestion, Closing, OpenPromiseRow } from '../../promises/fromDigests/schema.ts';
import { assignKnownIds, recordPromises } from '../../promises/fromDigests/service.ts';
import type { QuestionsOfMessages } from '../../promises/waiting/schema.ts';
import { recordWaits } from '../../promises/waiting/service.ts';
import type { OwnJob } from '../schema.ts';
import { runWhileOwned } from '../service.ts';
import type { CrmStage } from './startCrmStage.ts';

/** A digest, and what follows from its messages. */
export type FinishedDigest = WrittenDigest & {
  dialogId: string;
  /** YYYY-MM-DD */
  digestDate: string;
  /** The conversation has rows that this digest may cover. */
  hasOpenRows: boolean;
  userWrote: boolean;
  peerWrote: boolean;
  /** The promises that the messages were checked against, and what they say became of them. */
  promises: OpenPromiseRow[];
  closings: Closing[];
  /** The questions that they ask the user; undefined if newer messages have been read since. */
  pendingQuestions: QuestionsOfMessages | undefined;
  /** The user's answers in these messages. */
  answers: AnsweredQuestion[];
};

/**
 * Stores digests with all that follows from them, in the caller's transaction: promises, questions, and the cursor of
 * each conversation, moved to its last message that was read. An excerpt creates no promises and no questions: they
 * follow when the model has rewritten it. A rewrite does not move the cursor. Returns those that were stored: a row
 * that was deleted or taken up again meanwhile is left alone.
 */
export async function storeDigests(
  trx: Db,
  { userId, now }: { userId: string; now: Date },
  finished: readonly FinishedDigest[],
): Promise<FinishedDigest[]> {
  const digests = await assignKnownIds(trx, { userId }, finished);
  const completed = await completeDigests(trx, { userId, now }, digests);
  const stored = digests.filter(({ digestId }) => completed.has(digestId));
  const fromSync = stored.filter(({ coversSameMessages }) => !coversSameMessages);
  const cursors = fromSync.map(digest => ({ ...digest, messageId: digest.lastMessageId }));
  for (const digest of fromSync) if (digest.hasOpenRows) await closeCovered(trx, { ...digest, userId, now });
  await advanceCursors(trx, userId, cursors, now);

  const final = stored.filter(({ isExcerpt }) => !isExcerpt);
  if (final.length === 0) return stored;
  await recordPromises(trx, { userId, now }, { closings: final.flatMap(dropAppliedClosings), digests: final });
  const questions = final.flatMap(({ pendingQuestions }) => pendingQuestions ?? []);
  await recordWaits(trx, { userId }, questions);
  return stored;
}

/** After a rewrite, drops closings of listed promises and repeated moves, which were applied before. */
function dropAppliedClosings({ coversSameMessages, closings, promises, structured }: FinishedDigest): Closing[] {
  if (!coversSameMessages) return closings;
  const items = new Set(structured.actionItems.map(({ id }) => id));
  const leftOut = new Set(promises.filter(({ itemId }) => !items.has(itemId)).map(({ promiseId }) => promiseId));
  return closings.filter(({ promiseId, state }) => leftOut.has(promiseId) && state !== 'moved');
}

type WriterDeps = Timed & { accountId: string; crm: Pick<CrmStage, 'expectNotes'> };

/** Milliseconds between groups: a dozen conversations are read meanwhile and stored with the statements of one. */
const GATHER_MS = 150;

/**
 * Stores digests by group commit, as databases do: digests finished while one transaction is under way, or soon after
 * the last one began, go into the next one together.
 */
export function createDigestWriter({ db, clock, accountId, crm }: WriterDeps, job: OwnJob) {
  const { userId } = job;
  const inLine = pLimit(1);
  let gathered: FinishedDigest[] = [];
  let storing: Promise<{ stored: Set<string>; remaining: Set<string> }> | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  return {
    /**
     * Resolves once the digest and its cursor are stored in one transaction; to false if the user deleted the digest: its
     * messages are not read again, later ones come with the next sync. Rejects if another sync took the row.
     */
    async write(digest: FinishedDigest): Promise<boolean> {
      gathered.push(digest);
      storing ??= inLine(async () => {
        await sleep(Math.max(0, begunAt + GATHER_MS - performance.now()));
        begunAt = performance.now();
        const group = gathered;
        [gathered, storing] = [[], undefined];
        return runWhileOwned(db, job, async trx => {
          const written = await storeDigests(trx, { userId, now: clock.now() }, group);
          const final = written.filter(({ isExcerpt }) => !isExcerpt);
          await crm.expectNotes(trx, accountId, final);
          const stored = new Set(written.map(({ digestId }) => digestId));
          const missing = group.map(({ digestId }) => digestId).filter(id => !stored.has(id));
          const remaining = missing.length > 0 ? await listPresent(trx, { userId, digestIds: missing }) : new Set<string>();
          return { stored, remaining };
        });
      });
      const { stored, remaining } = await storing;
      if (remaining.has(digest.digestId)) throw new Error('this digest was taken over by another sync');
      return stored.has(digest.digestId);
    },
  };
}
export type DigestWriter = ReturnType<typeof createDigestWriter>;
