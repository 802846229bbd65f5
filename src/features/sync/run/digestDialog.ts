import { ClientError } from '../../../clients/errors.ts';
import type { MessengerMessage, MessengerReader } from '../../../clients/messenger/types.ts';
import { type Summarizer, SummaryFailed, type SummaryRequest } from '../../../clients/summarizer/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { collectSources } from '../../digests/rules.ts';
import { TOO_FEW_MESSAGES } from '../../digests/schema.ts';
import * as digests from '../../digests/writing/service.ts';
import type { SummarizerFor } from '../../messenger/consent/service.ts';
import { advanceCursors } from '../../messenger/dialogs/service.ts';
import { listAnswers, numberPromises, toClosings } from '../../promises/fromDigests/rules.ts';
import { recordPromises } from '../../promises/fromDigests/service.ts';
import { recordWaits, toStoredQuestions } from '../../promises/waiting/service.ts';
import { classifyFailure, computeCost, concernsWholeAccount, isTooQuiet, type TokenPrices } from '../rules.ts';
import type { OwnJob } from '../schema.ts';
import { runWhileOwned } from '../service.ts';
import type { ReadTask } from './planAccount.ts';
import type { DigestWriter, FinishedDigest } from './storeDigests.ts';
import type { DialogOutcome } from './trackProgress.ts';

/** No pause: the client already waits between its own retries. */
const FETCH_TRIES = 3;

export type DigestDeps = Timed & { summarizerFor: SummarizerFor; writer: DigestWriter; tokenPrices: TokenPrices };

type DigestTask = OwnJob & Omit<ReadTask, 'crashes'> & { userName: string; config: SyncConfig };

/** What a digest is written from, in a sync or later in another style. */
type DigestRange = Omit<DigestTask, 'jobId' | 'attempt'>;

/** `later`: the model rewrites the excerpt at the end of the sync. `failure`: why the model's digest is an excerpt instead. */
type DigestOutcome = { outcome: DialogOutcome | 'later'; failure?: DigestFailed | undefined };

/** An error of one conversation, with the step it happened in. */
export class DigestFailed extends Error {
  readonly stage: 'fetch' | 'summarize';
  /** Number of waiting messages, once read. */
  readonly messageCount: number | undefined;

  constructor(stage: DigestFailed['stage'], cause: unknown, messageCount?: number) {
    super(`conversation not digested: ${stage}`, { cause });
    this.stage = stage;
    this.messageCount = messageCount;
  }
}

export function costOfFailure({ cause }: DigestFailed, prices: TokenPrices): digests.Spent {
  const usage = cause instanceof SummaryFailed ? cause.usage : undefined;
  return { usage, costUsd: computeCost(usage, prices) };
}

/**
 * Reads a conversation's new messages and writes their digest. The digest and the cursor move in one transaction, so that
 * every message ends up in exactly one digest. Only the summarizer gets the messages' text. If a model is to write a
 * conversation's first digest, an excerpt takes its place until then. Throws {@link DigestFailed}; passes on database
 * errors.
 */
export async function digestDialog(
  deps: DigestDeps,
  reader: MessengerReader,
  task: DigestTask,
  signal: AbortSignal,
): Promise<DigestOutcome> {
  const messages = await fetchMessages(reader, task);
  if (messages.length === 0) return { outcome: await closeEmptyDialog(deps, task) };
  const { userId, digestId } = task;
  const summarizer = await deps.summarizerFor({ userId, dialogId: task.dialog.id });
  const { excerpt } = summarizer;
  // Skipping would hide what the day's digest says already.
  const isWritten = task.coversSameMessages || task.previousDigest?.day === task.digestDate;
  if (!isWritten && isTooQuiet(messages.length, task.config.minMessages)) {
    // By rules alone: a model is not asked.
    const { digest } = await composeDigest(deps, { summarize: excerpt ?? summarizer.summarize }, task, messages, signal);
    await skipQuietDialog(deps, task, digest);
    return { outcome: 'skipped' };
  }
  if (task.isFirst && excerpt) {
    const { digest } = await composeDigest(deps, { summarize: excerpt }, task, messages, signal);
    const structured = { ...digest.structured, actionItems: [] };
    const isStored = await deps.writer.write({ ...digest, structured, isExcerpt: true });
    return { outcome: isStored ? 'later' : 'empty' };
  }
  if (!task.coversSameMessages && !summarizer.isInstant) {
    await runWhileOwned(deps.db, task, trx => digests.startSummary(trx, { userId, digestId, now: deps.clock.now() }));
  }
  const { digest, failure } = await composeDigest(deps, summarizer, task, messages, signal);
  return { outcome: (await deps.writer.write(digest)) ? 'digested' : 'empty', failure };
}

/**
 * Composes the digest of these messages, with the promises, closings and questions that follow from it. If the
 * summarizer fails, its excerpt is the digest, where it has one. Throws {@link DigestFailed}.
 * @param messages at least one, oldest first
 */
export async function composeDigest(
  { tokenPrices }: Pick<DigestDeps, 'tokenPrices'>,
  { summarize, excerpt }: Pick<Summarizer, 'summarize' | 'excerpt'>,
  task: DigestRange,
  messages: MessengerMessage[],
  signal: AbortSignal,
): Promise<{ digest: FinishedDigest; failure?: DigestFailed | undefined }> {
  const { dialog, config, digestId, promises, coversSameMessages = false, hasOpenRows, limit, afterMessageId } = task;
  const request = toRequest(task, messages);
  let failure: DigestFailed | undefined;
  const summary = await summarize(request, { signal }).catch(cause => {
    const failed = new DigestFailed('summarize', cause, messages.length);
    if (!excerpt || signal.aborted) throw failed;
    failure = failed;
    return excerpt(request).catch(() => Promise.reject(failed));
  });
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) throw new RangeError('a digest is of one message or more');
  // Only the newest messages tell who still waits.
  const isNewest = !coversSameMessages || dialog.topMessageId >= (dialog.cursorMessageId ?? 0);
  // Older messages were, or may have been, left out: the digest then starts at the first one read.
  const isCut = !coversSameMessages && (messages.length === limit || afterMessageId === 0);
  const digest = {
    ...summary,
    digestId,
    dialogId: dialog.id,
    digestDate: task.digestDate,
    coversSameMessages,
    hasOpenRows,
    promises,
    style: config.summaryStyle,
    afterMessageId: isCut ? first.id - 1 : afterMessageId,
    lastMessageId: dialog.topMessageId,
    messageCount: messages.length,
    firstMessageAt: first.sentAt,
    lastMessageAt: last.sentAt,
    sources: collectSources(summary, messages),
    closings: toClosings(summary.closings ?? [], { dialogId: dialog.id, promises }, messages),
    pendingQuestions: isNewest ? toStoredQuestions(dialog.id, summary.waits, messages) : undefined,
    answers: listAnswers({ dialogId: dialog.id, waits: summary.waits }, messages),
    costUsd: computeCost(summary.usage, tokenPrices),
    ...(failure && { ...costOfFailure(failure, tokenPrices), reason: classifyFailure(failure.stage, failure.cause) }),
    userWrote: messages.some(message => message.fromUser),
    peerWrote: messages.some(message => !message.fromUser),
  };
  return { digest, failure };
}

function toRequest({ dialog, config, promises, ...task }: DigestRange, messages: MessengerMessage[]): SummaryRequest {
  return {
    owner: task.userId,
    peerName: dialog.peerName,
    userName: task.userName,
    isGroup: dialog.peerType !== 'user',
    messages,
    style: config.summaryStyle,
    languages: { pages: config.digestLanguage || null, crm: config.crmLanguage || null },
    timezone: config.timezone,
    today: task.digestDate,
    ...(task.previousDigest && { previousDigest: task.previousDigest }),
    ...(task.itemsLeftOpen && { itemsLeftOpen: task.itemsLeftOpen }),
    ...(promises.length > 0 && { openPromises: numberPromises(promises) }),
  };
}

/** Skips a digest of too few messages; the cursor stays, so that they add up. Closings and questions are still stored. */
async function skipQuietDialog(deps: DigestDeps, task: DigestTask, digest: FinishedDigest): Promise<void> {
  const { digestId, messageCount, closings, pendingQuestions } = digest;
  const row = { userId: task.userId, digestId, now: deps.clock.now() };
  await runWhileOwned(deps.db, task, async trx => {
    // The user deleted it meanwhile.
    if (!(await digests.skipStartedDigest(trx, { ...row, reason: TOO_FEW_MESSAGES, messageCount }))) return;
    await recordPromises(trx, row, { closings });
    await recordWaits(trx, row, pendingQuestions ? [pendingQuestions] : []);
  });
}

/** Throws {@link DigestFailed}. */
export async function fetchMessages(
  reader: MessengerReader,
  { dialog, afterMessageId, limit }: Pick<ReadTask, 'dialog' | 'afterMessageId' | 'limit'>,
): Promise<MessengerMessage[]> {
  const range = { afterId: afterMessageId, untilId: dialog.topMessageId, limit };
  for (let tries = 1; ; tries++) {
    try {
      return await reader.history(dialog.peer, range);
    } catch (err) {
      // On a lost connection, further calls fail as well.
      const mayPass = err instanceof ClientError && err.kind === 'temporary' && !concernsWholeAccount(err);
      if (tries === FETCH_TRIES || !mayPass) throw new DigestFailed('fetch', err);
    }
  }
}

/** Ends a digest without readable messages: advances the cursor and settles open rows. An excerpt becomes final instead. */
async function closeEmptyDialog(deps: DigestDeps, task: DigestTask): Promise<DialogOutcome> {
  const { userId, dialog, digestId, coversSameMessages } = task;
  if (coversSameMessages) {
    await runWhileOwned(deps.db, task, trx => digests.finalizeExcerpts(trx, { userId, digestIds: [digestId] }));
    return 'digested';
  }
  await runWhileOwned(deps.db, task, async trx => {
    const now = deps.clock.now();
    await advanceCursors(trx, userId, [{ dialogId: dialog.id, messageId: dialog.topMessageId }], now);
    await digests.closeOpenRows(trx, { userId, dialogIds: [dialog.id], now });
  });
  return 'empty';
}
