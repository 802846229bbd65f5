import { ClientError } from '../../../clients/errors.ts';
import type { MessengerMessage } from '../../../clients/messenger/types.ts';
import type { SummaryStyle } from '../../../clients/summarizer/types.ts';
import { NotFound } from '../../../lib/errors.ts';
import type { Failure } from '../../../lib/failures.ts';
import { getSettings } from '../../base/settings/service.ts';
import { getDialog } from '../../messenger/dialogs/repo.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { isFlooded } from '../../messenger/rules.ts';
import type { MessengerAccount } from '../../messenger/schema.ts';
import { rememberFlood } from '../../messenger/service.ts';
import { AccountBusy, withAccount } from '../../messenger/withAccount.ts';
import { planNotes, requestNotes } from '../../outbox/notes/service.ts';
import type { OutboxDeps } from '../../outbox/service.ts';
import { listItemsLeftOpen, listOpenPromises } from '../../promises/fromDigests/service.ts';
import { requestTasks } from '../../promises/service.ts';
import { findOpenJob } from '../repo.ts';
import { CRASH_LIMIT, DIGEST_MESSAGES, failureOf } from '../rules.ts';
import { composeDigest, DigestFailed, fetchMessages, spentOn } from '../run/digestDialog.ts';
import { storeDigests } from '../run/storeDigests.ts';
import type { SyncDeps } from '../run/syncAccount.ts';
import type { WrittenRow } from './repo.ts';
import * as repo from './repo.ts';
import { MESSAGES_GONE, type RegeneratePayload, WRITTEN_MEANWHILE } from './schema.ts';

export type RewriteDeps = Omit<SyncDeps, 'digestConcurrency' | 'outagePatienceSeconds'> & OutboxDeps;

const WAIT_FOR_CONNECTION_SECONDS = 2;

/** Not the time yet: the queue hands the work out again in a moment. */
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
export async function runRewrite(deps: RewriteDeps, wanted: RegeneratePayload, signal: AbortSignal): Promise<void> {
  const asked = await repo.startRewrite(deps.db, { ...wanted, now: deps.clock.now() });
  if (!asked) return;
  try {
    if (asked.state !== 'written') {
      if (asked.starts > CRASH_LIMIT) throw new NotRewritten('CRASHED' satisfies Failure);
      await rewrite(deps, { ...wanted, style: asked.style }, signal);
    }
    await bringNoteUpToDate(deps, wanted);
  } catch (err) {
    if (!(err instanceof NotFound)) return await giveUpOrComeBack(deps, wanted, err, signal);
    deps.log.info({ digestId: wanted.digestId }, 'digest not written again: it was deleted');
  }
}

async function giveUpOrComeBack(
  deps: RewriteDeps,
  wanted: RegeneratePayload,
  err: unknown,
  signal: AbortSignal,
): Promise<void> {
  const now = deps.clock.now();
  const isLater = err instanceof ComesBackLater || err instanceof AccountBusy || signal.aborted;
  if (isLater) await repo.postponeRewrite(deps.db, { ...wanted, now });
  const reason = isLater ? undefined : reasonToKeep(err);
  if (reason === undefined) throw err;
  deps.log.warn({ err, digestId: wanted.digestId, reason }, 'digest not written again');
  await repo.failRewrite(deps.db, { ...wanted, now, reason });
}

/** Undefined for an error of our own. */
function reasonToKeep(err: unknown): string | undefined {
  if (err instanceof NotRewritten) return err.reason;
  if (err instanceof DigestFailed) return failureOf(err.stage, err.cause);
  return err instanceof ClientError ? failureOf('fetch', err) : undefined;
}

async function rewrite(
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
  const messages = await readAgain(deps, { userId, account, dialog, row }, signal);
  if (messages.length === 0) throw new NotRewritten(MESSAGES_GONE);

  const { summarize } = await deps.summarizerFor({ userId, dialogId: dialog.id });
  const leftOpen = await listItemsLeftOpen(deps.db, { userId, dialogIds: [dialog.id], before: digestDate });
  const open = await listOpenPromises(deps.db, { userId, dialogIds: [dialog.id] });
  const stretch = {
    ...{ ...owned, afterMessageId, digestDate, limit: DIGEST_MESSAGES, hasOpenRows: false, isRewrite: true },
    userName: [account?.firstName, account?.lastName].join(' ').trim(),
    config: { ...(await getSettings(deps, { userId })), summaryStyle: style },
    dialog: { ...dialog, topMessageId: lastMessageId },
    itemsLeftOpen: leftOpen.get(dialog.id) ?? [],
    promises: (open.get(dialog.id) ?? []).filter(({ sourceMessageIds }) => isSaidIn(sourceMessageIds, row)),
  };
  const { digest } = await composeDigest(deps, { summarize }, stretch, messages, signal).catch(async err => {
    if (err instanceof DigestFailed) await repo.addSpent(deps.db, { ...owned, ...spentOn(err, deps.tokenPrices) });
    throw err;
  });
  const now = deps.clock.now();
  // Stored together with its state or not at all, so that a retry after a crash knows where to resume.
  await deps.db.transaction(async trx => {
    // Another worker took it over, because this process was presumed dead, and was quicker.
    if (!(await repo.markWritten(trx, { ...owned, requestId, now }))) return;
    const stored = await storeDigests(trx, { userId, now }, [digest]);
    if (stored.length === 0) throw new NotRewritten(WRITTEN_MEANWHILE);
  });
}

/** Whether a promise rests on messages of this digest alone. */
function isSaidIn(
  messageIds: readonly string[] | undefined,
  row: Pick<WrittenRow, 'afterMessageId' | 'lastMessageId'>,
) {
  const ids = (messageIds ?? []).map(Number);
  return ids.length > 0 && ids.every(id => id > row.afterMessageId && id <= row.lastMessageId);
}

type Reading = { userId: string; account: MessengerAccount | undefined; dialog: Dialog; row: WrittenRow };

/** Reads the messages the digest rests on, or the newest of too many, alone on the account's connection. */
async function readAgain(
  deps: RewriteDeps,
  { userId, account, dialog, row }: Reading,
  signal: AbortSignal,
): Promise<MessengerMessage[]> {
  if (account?.status !== 'active') throw new NotRewritten(NOT_READABLE[account?.status ?? 'inactive']);
  if (isFlooded(account, deps.clock.now())) throw new NotRewritten('FLOOD_WAIT');
  const turn = { userId, accountId: account.id, waitSeconds: WAIT_FOR_CONNECTION_SECONDS, signal };
  const range = { dialog: { ...dialog, topMessageId: row.lastMessageId }, afterMessageId: row.afterMessageId };
  try {
    return await withAccount(deps, turn, ({ reader }) =>
      fetchMessages(reader, { ...range, limit: DIGEST_MESSAGES }).catch(throwCause),
    );
  } catch (err) {
    if (err instanceof ClientError && err.kind === 'rateLimited') {
      await rememberFlood(deps, { userId, accountId: account.id }, err);
    }
    throw err;
  }
}

/** Throws the messenger's own error, so that an ended session is recognized. */
function throwCause(err: unknown): never {
  throw err instanceof DigestFailed ? err.cause : err;
}

const NOT_READABLE: Record<Exclude<MessengerAccount['status'], 'active'>, Failure> = {
  expired: 'SESSION_EXPIRED',
  banned: 'ACCOUNT_BANNED',
  inactive: 'MESSENGER_NOT_CONNECTED',
};

async function bringNoteUpToDate(deps: RewriteDeps, wanted: RegeneratePayload): Promise<void> {
  const { userId } = wanted;
  const { dialogId } = await repo.getWrittenRow(deps.db, wanted);
  await planNotes(deps, { userId, dialogIds: [dialogId] });
  await requestNotes(deps, { userId });
  await requestTasks(deps, { userId });
  await repo.finishRewrite(deps.db, wanted);
}
