import { randomUUID } from 'node:crypto';
import { fromKnex } from 'pg-boss';
import { ClientError } from '../../../clients/errors.ts';
import type { SummaryStyle } from '../../../clients/summarizer/types.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import type { Failure } from '../../../lib/failures.ts';
import type { Queued } from '../../../lib/queue.ts';
import { getSettings } from '../../base/settings/service.ts';
import { addSpent } from '../../digests/writing/service.ts';
import { getDialog } from '../../messenger/dialogs/repo.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { isFlooded } from '../../messenger/rules.ts';
import type { MessengerAccount } from '../../messenger/schema.ts';
import { rememberFlood } from '../../messenger/service.ts';
import { NoConnection, withAccount } from '../../messenger/withAccount.ts';
import { requestNotes } from '../../outbox/notes/service.ts';
import { listItemsLeftOpen, listOpenPromises } from '../../promises/fromDigests/service.ts';
import { requestTasks } from '../../promises/service.ts';
import { findOpenJob } from '../repo.ts';
import { CRASH_LIMIT, classifyFailure, REWRITE_MESSAGES } from '../rules.ts';
import { composeDigest, costOfFailure, DigestFailed, fetchMessages } from '../run/digestDialog.ts';
import { storeDigests } from '../run/storeDigests.ts';
import type { SyncDeps } from '../run/syncAccount.ts';
import * as repo from './repo.ts';
import { MESSAGES_GONE, REGENERATE_QUEUE, type RegeneratePayload, WRITTEN_MEANWHILE } from './schema.ts';

/**
 * Requests a rewrite of a digest in this style, from the messages it rests on. If requested twice, it happens once.
 * Throws NotFound, Conflict `NOT_REWRITABLE` with a sentence for a digest that can't be rewritten, and TooManyRequests:
 * each rewrite may cost money at the AI service.
 */
export async function requestRewrite(
  deps: Queued & { limitRewrite(userId: string): Promise<void> },
  { userId, digestId, style }: { userId: string; digestId: string; style: SummaryStyle },
): Promise<{ dialogId: string }> {
  const row = await repo.getWrittenRow(deps.db, { userId, digestId });
  const refusal = whyNotRewritable(row);
  if (refusal) throw new Conflict('NOT_REWRITABLE', refusal);
  await deps.limitRewrite(userId);
  await deps.db.transaction(async trx => {
    const payload: RegeneratePayload = { userId, digestId, requestId: randomUUID() };
    if (!(await repo.openRewrite(trx, { ...payload, style, now: deps.clock.now() }))) return;
    await deps.queue.send(REGENERATE_QUEUE.name, payload, { db: fromKnex(trx) });
  });
  return { dialogId: row.dialogId };
}

/** Why this digest can't be written again; undefined when it can. */
export function whyNotRewritable({
  summary,
  writingState,
}: Pick<repo.WrittenRow, 'summary' | 'writingState'>): string | undefined {
  if (summary === '') return 'There is no digest of this day yet.';
  if (writingState === 'FAILED') return 'The last attempt failed. The next sync will pick this digest up.';
  return writingState === 'COMPLETE' ? undefined : 'A sync is rewriting this digest. Try again when it is done.';
}

export type RewriteDeps = Omit<SyncDeps, 'digestConcurrency' | 'outagePatienceSeconds'>;

const WAIT_FOR_CONNECTION_SECONDS = 2;

/** Too early: the queue retries soon. */
class ComesBackLater extends Error {}

/** The digest stays unchanged; the reason is kept for the person to read. */
class NotRewritten extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`digest not written again: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Rewrites one digest. The old text stays until the new one is stored, or for good if that fails. The
 * conversation's cursor stays where it is; the note in the CRM follows. While a sync of the user is running, it throws
 * and has to be run again later, as after a crash.
 */
export async function runRewrite(deps: RewriteDeps, payload: RegeneratePayload, signal: AbortSignal): Promise<void> {
  const request = await repo.startRewrite(deps.db, { ...payload, now: deps.clock.now() });
  // Also after a crash between storing the digest and requesting its note.
  if (!request) return requestRecords(deps, payload);
  try {
    if (request.starts > CRASH_LIMIT) throw new NotRewritten('CRASHED' satisfies Failure);
    await rewriteDigest(deps, { ...payload, style: request.style }, signal);
    await requestRecords(deps, payload);
  } catch (err) {
    const { digestId } = payload;
    if (err instanceof NotFound) return deps.log.info({ digestId }, 'digest not written again: it was deleted');
    const now = deps.clock.now();
    const isLater = err instanceof ComesBackLater || err instanceof NoConnection || signal.aborted;
    if (isLater) await repo.postponeRewrite(deps.db, { ...payload, now });
    // An error of our own has no reason to keep: the queue hands the work out again.
    let reason: string | undefined;
    if (err instanceof NotRewritten) reason = err.reason;
    else if (err instanceof DigestFailed) reason = classifyFailure(err.stage, err.cause);
    else if (err instanceof ClientError) reason = classifyFailure('fetch', err);
    if (isLater || reason === undefined) throw err;
    deps.log.warn({ err, digestId, reason }, 'digest not written again');
    await repo.failRewrite(deps.db, { ...payload, now, reason });
  }
}

async function requestRecords(deps: RewriteDeps, { userId }: { userId: string }): Promise<void> {
  await requestNotes(deps, { userId });
  await requestTasks(deps, { userId });
}

async function rewriteDigest(
  deps: RewriteDeps,
  { style, requestId, ...owned }: RegeneratePayload & { style: SummaryStyle },
  signal: AbortSignal,
): Promise<void> {
  const { userId } = owned;
  if ((await findOpenJob(deps.db, userId))?.state === 'active') throw new ComesBackLater();
  const row = await repo.getWrittenRow(deps.db, owned);
  const dialog = await getDialog(deps.db, { userId, dialogId: row.dialogId });
  const account = (await listAccounts(deps.db, userId)).find(({ id }) => id === dialog.accountId);
  const { afterMessageId, lastMessageId, digestDate } = row;
  const messages = await readMessagesAgain(deps, { userId, account, dialog, row }, signal);
  if (messages.length === 0) throw new NotRewritten(MESSAGES_GONE);

  const { summarize } = await deps.summarizerFor({ userId, dialogId: dialog.id });
  const leftOpen = await listItemsLeftOpen(deps.db, { userId, dialogIds: [dialog.id], before: digestDate });
  const open = await listOpenPromises(deps.db, { userId, dialogIds: [dialog.id] });
  const range = {
    ...owned,
    afterMessageId,
    digestDate,
    limit: REWRITE_MESSAGES,
    hasOpenRows: false,
    coversSameMessages: true,
    userName: [account?.firstName, account?.lastName].join(' ').trim(),
    config: { ...(await getSettings(deps, { userId })), summaryStyle: style },
    dialog: { ...dialog, topMessageId: lastMessageId },
    itemsLeftOpen: leftOpen.get(dialog.id) ?? [],
    promises: (open.get(dialog.id) ?? []).filter(({ sourceMessageIds }) => restsOnRange(sourceMessageIds, row)),
  };
  const { digest } = await composeDigest(deps, { summarize }, range, messages, signal).catch(async err => {
    if (err instanceof DigestFailed) await addSpent(deps.db, { ...owned, ...costOfFailure(err, deps.tokenPrices) });
    throw err;
  });
  const now = deps.clock.now();
  await deps.db.transaction(async trx => {
    // Another worker took over, believing this process dead, and was faster.
    if (!(await repo.finishRewrite(trx, { ...owned, requestId }))) return;
    const stored = await storeDigests(trx, { userId, now }, [digest]);
    if (stored.length === 0) throw new NotRewritten(WRITTEN_MEANWHILE);
  });
}

/** Whether a promise rests on messages of this digest alone. */
function restsOnRange(
  messageIds: readonly string[] | undefined,
  row: Pick<repo.WrittenRow, 'afterMessageId' | 'lastMessageId'>,
) {
  const ids = (messageIds ?? []).map(Number);
  return ids.length > 0 && ids.every(id => id > row.afterMessageId && id <= row.lastMessageId);
}

type RewriteReading = { userId: string; account: MessengerAccount | undefined; dialog: Dialog; row: repo.WrittenRow };

/** Reads the digest's messages again, of too many only the newest, holding the account's connection. */
async function readMessagesAgain(deps: RewriteDeps, { userId, account, dialog, row }: RewriteReading, signal: AbortSignal) {
  if (account?.status !== 'active') throw new NotRewritten(NOT_READABLE[account?.status ?? 'inactive']);
  if (isFlooded(account, deps.clock.now())) throw new NotRewritten('FLOOD_WAIT');
  const turn = { userId, accountId: account.id, waitSeconds: WAIT_FOR_CONNECTION_SECONDS, signal };
  const range = { dialog: { ...dialog, topMessageId: row.lastMessageId }, afterMessageId: row.afterMessageId };
  try {
    return await withAccount(deps, turn, ({ reader }) =>
      fetchMessages(reader, { ...range, limit: REWRITE_MESSAGES }).catch(err => {
        // The messenger's own error, so that an ended session is recognized.
        throw err instanceof DigestFailed ? err.cause : err;
      }),
    );
  } catch (err) {
    if (err instanceof ClientError && err.kind === 'rateLimited') {
      await rememberFlood(deps, { userId, accountId: account.id }, err);
    }
    throw err;
  }
}

const NOT_READABLE: Record<Exclude<MessengerAccount['status'], 'active'>, Failure> = {
  expired: 'SESSION_EXPIRED',
  banned: 'ACCOUNT_BANNED',
  inactive: 'MESSENGER_NOT_CONNECTED',
};
