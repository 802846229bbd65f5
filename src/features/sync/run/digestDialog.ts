import { ClientError } from '../../../clients/errors.ts';
import type { MessengerMessage, MessengerReader } from '../../../clients/messenger/types.ts';
import {
  type Summarizer,
  type Summary,
  SummaryFailed,
  type SummaryRequest,
  type Urgency,
} from '../../../clients/summarizer/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { SyncConfig } from '../../base/settings/schema.ts';
import { sourcesOf } from '../../digests/rules.ts';
import { TOO_FEW_MESSAGES } from '../../digests/schema.ts';
import * as digests from '../../digests/writing/service.ts';
import type { SummarizerFor } from '../../messenger/consent/service.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { advanceCursors } from '../../messenger/dialogs/service.ts';
import { answersIn, closingsOf, numbered } from '../../promises/fromDigests/rules.ts';
import type { Closing, OpenPromiseRow } from '../../promises/fromDigests/schema.ts';
import { applyClosings } from '../../promises/fromDigests/service.ts';
import type { Asked } from '../../promises/waiting/schema.ts';
import { askedIn, recordWaits } from '../../promises/waiting/service.ts';
import { costOf, isTooQuiet, type TokenPrices } from '../rules.ts';
import type { OwnJob } from '../schema.ts';
import { whileOwned } from '../service.ts';
import type { DigestWriter } from './createDigestWriter.ts';
import type { Outcome } from './openProgress.ts';
import { concernsWholeAccount, failureOf } from './rules.ts';

/** No pause between tries: the client already waits between its own. */
const FETCH_TRIES = 3;

/** For a while, in the memory of this process: text of messages is stored nowhere. */
export type Kept = { messages: MessengerMessage[] | undefined; urgency: Urgency };

export type DigestDeps = {
  db: Db;
  clock: Clock;
  summarizerFor: SummarizerFor;
  writer: DigestWriter;
  tokenPrices: TokenPrices;
};

export type DigestWork = OwnJob & {
  digestId: string;
  afterMessageId: number;
  limit: number;
  hasOpenRows: boolean;
  promises: OpenPromiseRow[];
  /** Set on the first of two turns of a conversation that never had a digest: shows an excerpt, and keeps what was read. */
  keep?: (kept: Kept) => void;
  /** What the first turn kept. */
  kept?: Kept;
  /** The model has had its time: the built-in summarizer writes what is left. */
  isLate?: boolean;
} & About;

/** What a summary is written from, in addition to the messages. */
type About = Pick<SummaryRequest, 'told' | 'itemsLeftOpen' | 'openPromises'> & {
  userId: string;
  userName: string;
  config: SyncConfig;
  dialog: Dialog;
  /** YYYY-MM-DD */
  digestDate: string;
};

/** `failure`: a model failed, and the digest is the built-in summarizer's excerpt. */
type Done = { outcome: Outcome | 'later'; failure?: DigestFailed | undefined };

/** The step in which something went wrong. */
export type DigestStage = 'fetch' | 'summarize';

/** An error of one conversation, with the step it happened in. */
export class DigestFailed extends Error {
  readonly stage: DigestStage;
  /** How many messages wait, once they were read. */
  readonly messageCount: number | undefined;

  constructor(stage: DigestStage, cause: unknown, messageCount?: number) {
    super(`conversation not digested: ${stage}`, { cause });
    this.stage = stage;
    this.messageCount = messageCount;
  }
}

/** What a failed answer of the summarizer cost. */
export function spentOn({ cause }: DigestFailed, prices: TokenPrices): digests.Spent {
  const usage = cause instanceof SummaryFailed ? cause.usage : undefined;
  return { usage, costUsd: costOf(usage, prices) };
}

/**
 * Reads one conversation's new messages and writes its digest. The digest and the cursor move in one transaction, so
 * that every message ends up in exactly one digest. The text of messages goes to the summarizer and nowhere else.
 * Throws {@link DigestFailed}; errors of the database are passed on as they are.
 */
export async function digestDialog(
  deps: DigestDeps,
  reader: MessengerReader,
  work: DigestWork,
  signal: AbortSignal,
): Promise<Done> {
  const messages = work.kept?.messages ?? (await fetchMessages(reader, work));
  const [first] = messages;
  if (!first) return { outcome: await closeEmpty(deps, work) };
  const row = { userId: work.userId, digestId: work.digestId, now: deps.clock.now() };
  if (isTooQuiet(messages.length, work.config.minMessages)) {
    const { closings, asked } = await readQuietDay(deps, work, messages);
    const skipped = { ...row, reason: TOO_FEW_MESSAGES, messageCount: messages.length };
    await whileOwned(deps.db, work, async trx => {
      // Its person deleted it meanwhile.
      if (!(await digests.skipDigest(trx, skipped))) return;
      if (closings.length > 0) await applyClosings(trx, { ...row, dialogId: work.dialog.id }, closings);
      await recordWaits(trx, row, [asked]);
    });
    return { outcome: 'skipped' };
  }
  const afterMessageId = isCut(messages, work) ? first.id - 1 : work.afterMessageId;
  const lastMessageAt = messages.at(-1)?.sentAt ?? null;
  const covered = { messageCount: messages.length, afterMessageId, firstMessageAt: first.sentAt, lastMessageAt };
  const summarizer = await deps.summarizerFor({ userId: work.userId, dialogId: work.dialog.id });
  if (work.keep && summarizer.excerpt) {
    const shown = await showExcerptOf(deps, { ...work, ...covered }, summarizer.excerpt, messages);
    work.keep({ messages, urgency: shown?.structured.urgency ?? 'none' });
    return { outcome: 'later' };
  }
  if (!summarizer.isInstant) await whileOwned(deps.db, work, trx => digests.startSummary(trx, row));
  const openPromises = numbered(work.promises);
  const { excerpt } = summarizer;
  const writer = work.isLate && excerpt ? { summarize: (request: SummaryRequest) => excerpt(request) } : summarizer;
  const about = { ...work, openPromises };
  let failure: DigestFailed | undefined;
  const summary = await summarize(writer, about, messages, signal).catch((err: DigestFailed) => {
    if (!excerpt || signal.aborted) throw err;
    failure = err;
    return excerpt(requestOf(about, messages)).catch(() => Promise.reject(err));
  });
  const { dialog, digestId, hasOpenRows } = work;
  const isWritten = await deps.writer.write({
    ...summary,
    ...covered,
    sources: sourcesOf(summary, messages),
    closings: closingsOf(summary.closings ?? [], work.promises, messages),
    asked: askedIn(dialog.id, summary.waits, messages),
    answers: answersIn({ dialogId: dialog.id, waits: summary.waits }, messages),
    digestId,
    dialogId: dialog.id,
    digestDate: work.digestDate,
    lastMessageId: dialog.topMessageId,
    style: work.config.summaryStyle,
    costUsd: costOf(summary.usage, deps.tokenPrices),
    ...(failure && { ...spentOn(failure, deps.tokenPrices), reason: failureOf(failure.stage, failure.cause) }),
    hasOpenRows,
    ...writersOf(messages),
  });
  return { outcome: isWritten ? 'digested' : 'empty', failure };
}

type Excerpted = DigestWork & Pick<digests.WrittenDigest, 'messageCount' | 'firstMessageAt'>;

/** What the excerpt would have people do is left out: nothing follows from it. Undefined without one. */
async function showExcerptOf(
  deps: DigestDeps,
  work: Excerpted,
  excerpt: (request: SummaryRequest) => Promise<Summary>,
  messages: MessengerMessage[],
): Promise<Summary | undefined> {
  const shown = await excerpt(requestOf(work, messages)).catch(() => undefined);
  if (!shown || shown.summary === '') return undefined;
  const { digestId, messageCount, firstMessageAt, userId } = work;
  const text = { ...shown, structured: { ...shown.structured, actionItems: [] }, sources: sourcesOf(shown, messages) };
  const row = { digestId, messageCount, firstMessageAt, style: work.config.summaryStyle };
  const { summary, structured, sources, engine } = text;
  await whileOwned(deps.db, work, trx =>
    digests.showExcerpt(trx, { userId, now: deps.clock.now() }, { ...row, summary, structured, sources, engine }),
  );
  return shown;
}

/** A day too quiet for a digest may hold the "sent!" that a promise waits for, a question, or the answer to one. */
async function readQuietDay(
  { summarizerFor }: DigestDeps,
  { userId, userName, dialog, config, digestDate, told, promises }: DigestWork,
  messages: MessengerMessage[],
): Promise<{ closings: Closing[]; asked: Asked }> {
  const summarizer = await summarizerFor({ userId, dialogId: dialog.id });
  const about = { peerName: dialog.peerName, userName, isGroup: dialog.peerType !== 'user', timezone: config.timezone };
  const day = { owner: userId, ...about, messages, ...(told && { told }) };
  const read = promises.length > 0 ? await summarizer.readClosings({ ...day, openPromises: numbered(promises) }) : [];
  const waits = await summarizer.readWaits({ ...day, today: digestDate });
  return { closings: closingsOf(read, promises, messages), asked: askedIn(dialog.id, waits, messages) };
}

function writersOf(messages: MessengerMessage[]) {
  return { userWrote: messages.some(one => one.fromUser), peerWrote: messages.some(one => !one.fromUser) };
}

/** Whether older messages were, or may have been, left out: the digest then starts at the first one read. */
function isCut(messages: MessengerMessage[], { limit, afterMessageId }: DigestWork): boolean {
  return messages.length === limit || afterMessageId === 0;
}

/** Throws {@link DigestFailed}. */
export async function fetchMessages(
  reader: MessengerReader,
  { dialog, afterMessageId, limit }: Pick<DigestWork, 'dialog' | 'afterMessageId' | 'limit'>,
): Promise<MessengerMessage[]> {
  const range = { afterId: afterMessageId, untilId: dialog.topMessageId, limit };
  for (let tries = 1; ; tries++) {
    try {
      return await reader.history(dialog.peer, range);
    } catch (err) {
      if (tries === FETCH_TRIES || !mayPass(err)) throw new DigestFailed('fetch', err);
    }
  }
}

/** Whether trying this call again may help. If the connection itself is gone, another call on it is of no use. */
function mayPass(err: unknown): boolean {
  return err instanceof ClientError && err.kind === 'temporary' && !concernsWholeAccount(err);
}

/** Throws {@link DigestFailed}. */
export async function summarize(
  summarizer: Pick<Summarizer, 'summarize'>,
  about: About,
  messages: MessengerMessage[],
  signal: AbortSignal,
): Promise<Summary> {
  try {
    return await summarizer.summarize(requestOf(about, messages), { signal });
  } catch (err) {
    throw new DigestFailed('summarize', err, messages.length);
  }
}

function requestOf(
  { userId, dialog, userName, config, digestDate, told, itemsLeftOpen, openPromises }: About,
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
    ...(told && { told }),
    ...(itemsLeftOpen && { itemsLeftOpen }),
    ...(openPromises && openPromises.length > 0 && { openPromises }),
  };
}

/** The newest entries were service messages or have been deleted: no digest, but nothing to fetch again. */
async function closeEmpty(deps: DigestDeps, work: DigestWork): Promise<Outcome> {
  const { userId, dialog } = work;
  await whileOwned(deps.db, work, async trx => {
    const now = deps.clock.now();
    await advanceCursors(trx, userId, [{ dialogId: dialog.id, messageId: dialog.topMessageId }], now);
    await digests.settleOpen(trx, { userId, dialogIds: [dialog.id], now });
  });
  return 'empty';
}
