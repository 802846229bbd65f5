import type { ItemLeftOpen, SummaryRequest } from '../../../clients/summarizer/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import { type Db, lockNamed } from '../../../lib/db.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { getLimits } from '../../billing/service.ts';
import { countDigestsOfDay, listNewestCoverage } from '../../digests/repo.ts';
import { DIGEST_TRANSITIONS } from '../../digests/rules.ts';
import { type Coverage, OVER_PLAN, type WritingState } from '../../digests/schema.ts';
import * as digests from '../../digests/writing/service.ts';
import { listDialogs } from '../../messenger/dialogs/repo.ts';
import { isTracked } from '../../messenger/dialogs/rules.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { advanceCursors } from '../../messenger/dialogs/service.ts';
import type { OpenPromiseRow } from '../../promises/fromDigests/schema.ts';
import { listItemsLeftOpen, listOpenPromises } from '../../promises/fromDigests/service.ts';
import { compareForReading, type DialogStep, divideByPlan, hasFailedInJob, planDialog, REWRITE_MESSAGES } from '../rules.ts';

/** A range of one conversation's messages, and the digest to write from them. */
export type ReadTask = {
  /** The conversation, which is read up to its top message. */
  dialog: Dialog;
  digestId: string;
  /** Up to which message an earlier digest covers the conversation; undefined before the first. */
  previousDigest?: SummaryRequest['previousDigest'];
  itemsLeftOpen?: ItemLeftOpen[];
  /** The promises that the new messages are checked against. */
  promises: OpenPromiseRow[];
  afterMessageId: number;
  limit: number;
  /** Number of workers that died while processing it. */
  crashes: number;
  /** The conversation never had a digest. */
  isFirst?: boolean;
  /** YYYY-MM-DD */
  digestDate: string;
  /** The day's digest is written over: an excerpt by a model, or any in another style. */
  coversSameMessages?: boolean;
  /** The newest digest failed, so unfinished rows may exist that this one covers. */
  hasOpenRows: boolean;
};

type PlanScope = {
  userId: string;
  accountId: string;
  jobId: string;
  digestDate: string;
  config: SyncConfig;
  planned: ReadonlySet<string>;
};

/**
 * Plans the conversations to read in an account, in the order of {@link compareForReading}, each with its row for the day.
 * On the way, conversations that are too old for a first sync get their cursor, and those over the user's plan are skipped
 * with that reason. Rows that an earlier sync left open and that have nothing left to read are closed.
 */
export async function planAccount(deps: Timed, sync: PlanScope) {
  // Protects the plan from deletions of digests, whose messages it would read again.
  await lockNamed(deps.db, 'digests', sync.userId);
  const dialogs = await listDialogs(deps.db, sync.userId, { accountIds: [sync.accountId] });
  const newest = new Map((await listNewestCoverage(deps.db, sync)).map(coverage => [coverage.dialogId, coverage]));
  const { toRead, cursorAdvances, done } = planDialogs(dialogs, newest, sync);
  const now = deps.clock.now();
  await advanceCursors(deps.db, sync.userId, cursorAdvances, now);
  await digests.closeOpenRows(deps.db, { userId: sync.userId, dialogIds: done, now });

  const planned = toRead.map(({ dialog: { id: dialogId, topMessageId: lastMessageId, lastMessageAt }, afterMessageId }) => ({
    dialogId,
    afterMessageId,
    lastMessageId,
    lastMessageAt,
  }));
  const digestIds = await digests.queueDigests(deps.db, { ...sync, now }, planned);
  const queued = toRead.flatMap(read => {
    const digestId = digestIds.get(read.dialog.id);
    return digestId ? [{ ...read, digestId }] : [];
  });
  const { conversationsPerDay } = await getLimits(deps, sync);
  const used = await countDigestsOfDay(deps.db, { userId: sync.userId, date: sync.digestDate });
  const { within, over } = divideByPlan(queued, conversationsPerDay - used, ({ dialog }) => {
    const coverage = newest.get(dialog.id);
    return coverage?.digestDate === sync.digestDate && coverage.hasSummary;
  });
  const { userId, digestDate: before } = sync;
  const overIds = over.map(({ digestId }) => digestId);
  await digests.skipQueuedDigests(deps.db, { userId, digestIds: overIds, reason: OVER_PLAN, now });
  const dialogIds = within.map(({ dialog }) => dialog.id);
  const [leftOpen, open] = await Promise.all([
    listItemsLeftOpen(deps.db, { userId, dialogIds, before }),
    listOpenPromises(deps.db, { userId, dialogIds }),
  ]);
  return {
    toRead: within.map(read => ({
      ...read,
      isFirst: read.dialog.cursorMessageId === null,
      digestDate: sync.digestDate,
      itemsLeftOpen: leftOpen.get(read.dialog.id) ?? [],
      promises: open.get(read.dialog.id) ?? [],
    })),
    overPlan: over.map(({ dialog }) => dialog.id),
    /** Number of stored conversations of the account. */
    storedCount: dialogs.length,
  };
}

/**
 * The account's excerpts that a model is still to write over, of this sync and of those that ended before the model was
 * done: urgent ones first, then the newest. One whose conversation is not read any more stays as it is.
 */
export async function planExcerptRewrites(db: Db, sync: Omit<PlanScope, 'planned' | 'digestDate'>): Promise<ReadTask[]> {
  const excerpts = await digests.claimExcerpts(db, sync);
  if (excerpts.length === 0) return [];
  const all = await listDialogs(db, sync.userId, { accountIds: [sync.accountId] });
  const tracked = new Map(all.filter(dialog => isTracked(dialog, sync.config)).map(dialog => [dialog.id, dialog]));
  const untrackedIds = excerpts.filter(({ dialogId }) => !tracked.has(dialogId)).map(({ digestId }) => digestId);
  await digests.finalizeExcerpts(db, { userId: sync.userId, digestIds: untrackedIds });
  return excerpts.flatMap(({ dialogId, lastMessageId, ...row }) => {
    const dialog = tracked.get(dialogId);
    const range = { ...row, promises: [], limit: REWRITE_MESSAGES, hasOpenRows: false, coversSameMessages: true };
    return dialog ? [{ ...range, dialog: { ...dialog, topMessageId: lastMessageId } }] : [];
  });
}

type PlannedRead = Pick<ReadTask, 'dialog' | 'previousDigest' | 'afterMessageId' | 'limit' | 'crashes' | 'hasOpenRows'>;

function planDialogs(dialogs: Dialog[], newest: Map<string, Coverage>, sync: PlanScope) {
  const newestAt = new Date(Math.max(0, ...dialogs.map(dialog => dialog.lastMessageAt?.getTime() ?? 0)));
  const context = { today: sync.digestDate, newestAt, minMessages: sync.config.minMessages };
  const settled: readonly WritingState[] = DIGEST_TRANSITIONS.settle.from;
  const toRead: PlannedRead[] = [];
  const cursorAdvances: { dialogId: string; messageId: number }[] = [];
  const done: string[] = [];
  const unplanned = dialogs.filter(({ id }) => !sync.planned.has(id)).toSorted(compareForReading);
  for (const dialog of unplanned) {
    const coverage = newest.get(dialog.id);
    if (coverage && hasFailedInJob(coverage, sync.jobId)) continue;
    const step: DialogStep = isTracked(dialog, sync.config) ? planDialog(dialog, coverage, context) : { kind: 'done' };
    if (step.kind === 'done' && coverage && settled.includes(coverage.writingState)) done.push(dialog.id);
    if (step.kind === 'advance') cursorAdvances.push({ dialogId: dialog.id, messageId: dialog.topMessageId });
    if (step.kind === 'read') {
      const { afterMessageId, limit } = step;
      toRead.push({ dialog, afterMessageId, limit, ...describeEarlier(dialog, coverage) });
    }
  }
  return { toRead, cursorAdvances, done };
}

/** What earlier digests of the conversation mean for the next one. */
function describeEarlier({ cursorMessageId }: Dialog, coverage: Coverage | undefined) {
  const day = coverage?.hasSummary ? coverage.digestDate : null;
  return {
    previousDigest: cursorMessageId === null ? undefined : { untilMessageId: cursorMessageId, day },
    crashes: coverage?.crashes ?? 0,
    hasOpenRows: coverage !== undefined && coverage.writingState !== 'COMPLETE',
  };
}
