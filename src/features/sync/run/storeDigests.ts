import type { Db } from '../../../lib/db.ts';
import { closeCovered, completeDigests, type WrittenDigest } from '../../digests/writing/service.ts';
import { advanceCursors } from '../../messenger/dialogs/service.ts';
import type { Answer, Closing, OpenPromiseRow } from '../../promises/fromDigests/schema.ts';
import { applyClosings, keepIdentities, recordPromises } from '../../promises/fromDigests/service.ts';
import type { Asked } from '../../promises/waiting/schema.ts';
import { recordWaits } from '../../promises/waiting/service.ts';

/** A digest, and what follows from its messages. */
export type FinishedDigest = WrittenDigest & {
  dialogId: string;
  /** YYYY-MM-DD */
  digestDate: string;
  /** Its conversation has rows that it may cover. */
  hasOpenRows: boolean;
  userWrote: boolean;
  peerWrote: boolean;
  /** The promises that the messages were checked against, and what they say became of them. */
  promises: OpenPromiseRow[];
  closings: Closing[];
  /** What they ask of the user; undefined where newer messages were read. */
  asked: Asked | undefined;
  /** What the user answered in them. */
  answers: Answer[];
};

/**
 * Stores digests with all that follows from them, in the caller's transaction: promises and questions, and the cursor of
 * a conversation that was read for the first time up to there. From an excerpt that a model is still to write over
 * nothing follows, and a rewrite leaves the cursor. Returns those that were stored: a row that was deleted or taken up
 * again meanwhile is left alone.
 */
export async function storeDigests(
  trx: Db,
  { userId, now }: { userId: string; now: Date },
  finished: readonly FinishedDigest[],
): Promise<FinishedDigest[]> {
  const digests = await keepIdentities(trx, { userId }, finished);
  const completed = await completeDigests(trx, { userId, now }, digests);
  const stored = digests.filter(({ digestId }) => completed.has(digestId));
  const read = stored.filter(({ isRewrite }) => !isRewrite);
  const cursors = read.map(({ lastMessageId, ...digest }) => ({ ...digest, messageId: lastMessageId }));
  await advanceCursors(trx, userId, cursors, now);
  for (const digest of read) if (digest.hasOpenRows) await closeCovered(trx, { ...digest, userId });

  const told = stored.filter(({ isExcerpt }) => !isExcerpt);
  if (told.length === 0) return stored;
  for (const digest of told) {
    const closings = closingsLeft(digest);
    if (closings.length > 0) await applyClosings(trx, { userId, dialogId: digest.dialogId, now }, closings);
  }
  await recordPromises(trx, { userId, now }, told);
  await recordWaits(
    trx,
    { userId },
    told.flatMap(({ asked }) => asked ?? []),
  );
  return stored;
}

/** What a rewritten digest still says is open, whatever else was read; and a day it moved is not moved again. */
function closingsLeft({ isRewrite, closings, promises, structured }: FinishedDigest): Closing[] {
  if (!isRewrite) return closings;
  const said = new Set(structured.actionItems.map(({ id }) => id));
  const leftOut = new Set(promises.filter(({ itemId }) => !said.has(itemId)).map(({ promiseId }) => promiseId));
  return closings.filter(({ promiseId, state }) => leftOut.has(promiseId) && state !== 'moved');
}
