import { ClientError } from '../../../clients/errors.ts';
import type { MessengerMessage, MessengerReader } from '../../../clients/messenger/types.ts';
import { type Summarizer, SummaryFailed, type SummaryRequest } from '../../../clients/summarizer/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db, Owner } from '../../../lib/db.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { sourcesOf } from '../../digests/rules.ts';
import { TOO_FEW_MESSAGES } from '../../digests/schema.ts';
import * as digests from '../../digests/writing/service.ts';
import type { SummarizerFor } from '../../messenger/consent/service.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { advanceCursors } from '../../messenger/dialogs/service.ts';
import { answersIn, closingsOf, withNumbers } from '../../promises/fromDigests/rules.ts';
import type { OpenPromiseRow } from '../../promises/fromDigests/schema.ts';
import { applyClosings } from '../../promises/fromDigests/service.ts';
import { recordWaits, toStoredQuestions } from '../../promises/waiting/service.ts';
import { concernsWholeAccount, costOf, failureOf, isTooQuiet, type TokenPrices } from '../rules.ts';
import type { OwnJob } from '../schema.ts';
import { whileOwned } from '../service.ts';
import type { DigestWriter, FinishedDigest } from './storeDigests.ts';
import type { Outcome } from './trackProgress.ts';

/** No pause between tries: the client already waits between its own. */
const FETCH_TRIES = 3;

export type DigestDeps = {
  db: Db;
  clock: Clock;
  summarizerFor: SummarizerFor;
  writer: DigestWriter;
  tokenPrices: TokenPrices;
};

/** A stretch of one conversation, and the row its digest goes to. */
export type DigestInput = {
  digestId: string;
  userName: string;
  config: SyncConfig;
  /** Up to its top message. */
  dialog: Dialog;
  /** YYYY-MM-DD */
  digestDate: string;
  afterMessageId: number;
  limit: number;
  hasOpenRows: boolean;
  /** The promises that the messages are checked against. */
  promises: OpenPromiseRow[];
  /** The row is complete, and is to be written over. */
  isRewrite?: boolean;
} & Pick<SummaryRequest, 'previousDigest' | 'itemsLeftOpen'>;

/** `isFirst`: the conversation never had a digest. */
export type DigestWork = OwnJob & DigestInput & { isFirst?: boolean };

/** `later`: the model rewrites the excerpt at the end of the sync. `failure`: it failed, the digest is an excerpt. */
type DigestOutcome = { outcome: Outcome | 'later'; failure?: DigestFailed | undefined };

/** An error of one conversation, with the step it happened in. */
export class DigestFailed extends Error {
  readonly stage: 'fetch' | 'summarize';
  /** How many messages wait, once they were read. */
  readonly messageCount: number | undefined;

  constructor(stage: DigestFailed['stage'], cause: unknown, messageCount?: number) {
    super(`conversation not digested: ${stage}`, { cause });
    this.stage = stage;
    this.messageCount = messageCount;
  }
}

export function costOfFailure({ cause }: DigestFailed, prices: TokenPrices): digests.Spent {
  const usage = cause instanceof SummaryFailed ? cause.usage : undefined;
  return { usage, costUsd: costOf(usage, prices) };
}

/**
 * Reads one conversation's new messages and writes its digest. The digest and the cursor move in one transaction, so
 * that every message ends up in exactly one digest. The text of messages goes to the summarizer and nowhere else. Where
 * a model is to write the first digest of a conversation, an excerpt is that digest until it is rewritten.
 * Throws {@link DigestFailed}; errors of the database are passed on as they are.
 */
export async function digestDialog(
  deps: DigestDeps,
  reader: MessengerReader,
  work: DigestWork,
  signal: AbortSignal,
): Promise<DigestOutcome> {
  const messages = await fetchMessages(reader, work);
  if (messages.length === 0) return { outcome: await closeEmpty(deps, work) };
  if (!work.isRewrite && isTooQuiet(messages.length, work.config.minMessages)) return skipQuiet(deps, work, messages);
  const { userId, digestId, isFirst } = work;
  const summarizer = await deps.summarizerFor({ userId, dialogId: work.dialog.id });
  const { excerpt } = summarizer;
  if (isFirst && excerpt) {
    const { digest } = await composeDigest(deps, { summarize: excerpt }, work, messages, signal);
    const structured = { ...digest.structured, actionItems: [] };
    const isStored = await deps.writer.write({ ...digest, structured, isExcerpt: true });
    return { outcome: isStored ? 'later' : 'empty' };
  }
  if (!work.isRewrite && !summarizer.isInstant) {
    await whileOwned(deps.db, work, trx => digests.startSummary(trx, { userId, digestId, now: deps.clock.now() }));
  }
  const { digest, failure } = await composeDigest(deps, summarizer, work, messages, signal);
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
  work: DigestInput & Owner,
  messages: MessengerMessage[],
  signal: AbortSignal,
): Promise<{ digest: FinishedDigest; failure?: DigestFailed | undefined }> {
  const { dialog, digestId, promises, isRewrite = false, hasOpenRows, limit, afterMessageId } = work;
  const request = requestOf(work, messages);
  let failure: DigestFailed | undefined;
  const summary = await summarize(request, { signal }).catch(cause => {
    const failed = new DigestFailed('summarize', cause, messages.length);
    if (!excerpt || signal.aborted) throw failed;
    failure = failed;
    return excerpt(request).catch(() => Promise.reject(failed));
  });
  const [first, last] = [messages[0], messages.at(-1)];
  // Newer messages tell who waits.
  const isNewest = !isRewrite || dialog.topMessageId >= (dialog.cursorMessageId ?? 0);
  // Older messages were, or may have been, left out: the digest then starts at the first one read.
  const isCut = !isRewrite && (messages.length === limit || afterMessageId === 0);
  const digest = {
    ...summary,
    ...{ digestId, dialogId: dialog.id, digestDate: work.digestDate, isRewrite, hasOpenRows, promises },
    style: work.config.summaryStyle,
    afterMessageId: first && isCut ? first.id - 1 : afterMessageId,
    lastMessageId: dialog.topMessageId,
    messageCount: messages.length,
    firstMessageAt: first?.sentAt ?? new Date(0),
    lastMessageAt: last?.sentAt ?? null,
    sources: sourcesOf(summary, messages),
    closings: closingsOf(summary.closings ?? [], promises, messages),
    pendingQuestions: isNewest ? toStoredQuestions(dialog.id, summary.waits, messages) : undefined,
    answers: answersIn({ dialogId: dialog.id, waits: summary.waits }, messages),
    costUsd: costOf(summary.usage, tokenPrices),
    ...(failure && { ...costOfFailure(failure, tokenPrices), reason: failureOf(failure.stage, failure.cause) }),
    userWrote: messages.some(one => one.fromUser),
    peerWrote: messages.some(one => !one.fromUser),
  };
  return { digest, failure };
}

/** Too quiet for a digest: the cursor stays, messages add up. They may hold a "sent!", or a question or its answer. */
async function skipQuiet(deps: DigestDeps, work: DigestWork, messages: MessengerMessage[]): Promise<DigestOutcome> {
  const { userId, digestId, userName, dialog, config, digestDate, previousDigest, promises } = work;
  const summarizer = await deps.summarizerFor({ userId, dialogId: dialog.id });
  const about = { peerName: dialog.peerName, userName, isGroup: dialog.peerType !== 'user', timezone: config.timezone };
  const day = { owner: userId, ...about, messages, ...(previousDigest && { previousDigest }) };
  const read =
    promises.length > 0 ? await summarizer.readClosings({ ...day, openPromises: withNumbers(promises) }) : [];
  const closings = closingsOf(read, promises, messages);
  const waits = await summarizer.findPendingQuestions({ ...day, today: digestDate });
  const row = { userId, digestId, now: deps.clock.now() };
  const skipped = { ...row, reason: TOO_FEW_MESSAGES, messageCount: messages.length };
  await whileOwned(deps.db, work, async trx => {
    // Its person deleted it meanwhile.
    if (!(await digests.skipDigest(trx, skipped))) return;
    if (closings.length > 0) await applyClosings(trx, { ...row, dialogId: dialog.id }, closings);
    await recordWaits(trx, row, [toStoredQuestions(dialog.id, waits, messages)]);
  });
  return { outcome: 'skipped' };
}

/** Throws {@link DigestFailed}. */
export async function fetchMessages(
  reader: MessengerReader,
  { dialog, afterMessageId, limit }: Pick<DigestInput, 'dialog' | 'afterMessageId' | 'limit'>,
): Promise<MessengerMessage[]> {
  const range = { afterId: afterMessageId, untilId: dialog.topMessageId, limit };
  for (let tries = 1; ; tries++) {
    try {
      return await reader.history(dialog.peer, range);
    } catch (err) {
      // If the connection itself is gone, another call on it is of no use.
      const mayPass = err instanceof ClientError && err.kind === 'temporary' && !concernsWholeAccount(err);
      if (tries === FETCH_TRIES || !mayPass) throw new DigestFailed('fetch', err);
    }
  }
}

function requestOf(
  { userId, dialog, userName, config, digestDate, previousDigest, itemsLeftOpen, promises }: DigestInput & Owner,
  messages: MessengerMessage[],
): SummaryRequest {
  return {
    owner: userId,
    peerName: dialog.peerName,
    userName,
    isGroup: dialog.peerType !== 'user',
    messages,
    style: config.summaryStyle,
    languages: { pages: config.digestLanguage || null, crm: config.crmLanguage || null },
    timezone: config.timezone,
    today: digestDate,
    ...(previousDigest && { previousDigest }),
    ...(itemsLeftOpen && { itemsLeftOpen }),
    ...(promises.length > 0 && { openPromises: withNumbers(promises) }),
  };
}

/** The newest were service messages or were deleted: no digest, and nothing to fetch again. An old excerpt stays. */
async function closeEmpty(deps: DigestDeps, work: DigestWork): Promise<Outcome> {
  const { userId, dialog, digestId, isRewrite } = work;
  if (isRewrite) {
    await whileOwned(deps.db, work, trx => digests.keepExcerpts(trx, { userId, digestIds: [digestId] }));
    return 'digested';
  }
  await whileOwned(deps.db, work, async trx => {
    const now = deps.clock.now();
    await advanceCursors(trx, userId, [{ dialogId: dialog.id, messageId: dialog.topMessageId }], now);
    await digests.settleOpen(trx, { userId, dialogIds: [dialog.id], now });
  });
  return 'empty';
}
