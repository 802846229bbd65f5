import { ClientError } from '../../clients/errors.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { type DigestReason, SUMMARY_TIMEOUT, UNREADABLE } from '../digests/schema.ts';
import { AccountBusy } from '../messenger/withAccount.ts';
import type { SyncError } from '../sync/schema.ts';
import { isUnreadable } from './createUnreadableSearch.ts';

/** What goes wrong in the CRM is told in crmTrouble.ts. */
type Code = Exclude<SyncError['code'], `CRM_${string}`>;

const SENTENCES: Record<Code, string> = {
  MESSENGER_NOT_CONNECTED: 'No Telegram account is connected.',
  SESSION_EXPIRED: 'Telegram signed Forenoon out. New messages are not read until you connect again.',
  FLOOD_WAIT: 'Telegram asks us to wait. Trying again earlier makes the wait longer.',
  AI_BAD_OUTPUT: 'The summary service’s response couldn’t be used. Your messages are still in Telegram.',
  AI_UNAVAILABLE: 'The summary service could not be reached. Your messages are still in Telegram.',
  PLAN_LIMIT: 'This is over what the plan includes.',
  TIMEOUT: 'Telegram did not answer in time. Your messages are still there.',
  MESSENGER_UNAVAILABLE: 'We couldn’t get this conversation from Telegram. Your messages are still there.',
};

/** Of a ClientError: the account's one connection is in use. */
export const IN_USE = 'IN_USE';

const SLOW_SUMMARY = 'The summary service did not answer in time. Your messages are still in Telegram.';
const OUT_OF_REACH = 'Telegram can’t be reached right now. Your messages are still there.';
const NO_LIST = 'We couldn’t get your conversations from Telegram. Your messages are still there.';
const UNREADABLE_HERE =
  'This conversation contains something that can’t be read here yet. Your messages are still in Telegram.';
const IN_USE_ELSEWHERE = 'Your Telegram account is being read by another process right now. We’ll try again later.';
const BANNED = "Telegram has banned this account. New messages can't be read.";

const RETRYABLE = new Set<Code>(['FLOOD_WAIT', 'AI_BAD_OUTPUT', 'AI_UNAVAILABLE', 'TIMEOUT', 'MESSENGER_UNAVAILABLE']);

/** The trouble in the words and the code of a job's result. Nothing of the cause's own text gets into it. */
export function toSyncError(stage: SyncError['stage'], err: unknown, dialog?: Dialog): SyncError {
  const code = codeOf(stage, err);
  const about = { dialogId: dialog?.id ?? null, peerName: dialog?.peerName ?? null };
  return { ...about, stage, code, message: sentenceFor(stage, code, err), retryable: RETRYABLE.has(code) };
}

function sentenceFor(stage: SyncError['stage'], code: Code, err: unknown): string {
  if (stage === 'summarize' && code === 'TIMEOUT') return SLOW_SUMMARY;
  if (stage === 'fetch' && isUnreadable(err)) return UNREADABLE_HERE;
  if (err instanceof ClientError && err.code === IN_USE) return IN_USE_ELSEWHERE;
  if (stage === 'connect' && code === 'MESSENGER_UNAVAILABLE') return isOutage(err) ? OUT_OF_REACH : NO_LIST;
  return err instanceof ClientError && err.code === 'ACCOUNT_BANNED' ? BANNED : SENTENCES[code];
}

function isOutage(err: unknown): boolean {
  return err instanceof ClientError && err.kind === 'temporary';
}

/** What is kept with the digest: the code, but for one that two services share and one that says too little. */
export function reasonOf({ stage, code }: SyncError, err: unknown): DigestReason {
  if (isUnreadable(err)) return UNREADABLE;
  return stage === 'summarize' && code === 'TIMEOUT' ? SUMMARY_TIMEOUT : code;
}

/** A conversation over which workers died, again and again. */
export function putAsideError(dialog: Dialog): SyncError {
  return {
    ...toSyncError('summarize', new ClientError({ service: 'summarizer', kind: 'temporary', code: 'TIMEOUT' }), dialog),
    message: 'Reading this conversation failed three times. It is left for the next sync; the others were read.',
  };
}

function codeOf(stage: SyncError['stage'], err: unknown): Code {
  if (stage === 'summarize') return summarizerCode(err);
  if (err instanceof AccountBusy) return 'MESSENGER_NOT_CONNECTED';
  if (!(err instanceof ClientError)) return 'MESSENGER_UNAVAILABLE';
  if (err.kind === 'auth') return 'SESSION_EXPIRED';
  if (err.kind === 'rateLimited') return 'FLOOD_WAIT';
  return err.code === 'TIMEOUT' ? 'TIMEOUT' : 'MESSENGER_UNAVAILABLE';
}

function summarizerCode(err: unknown): Code {
  if (err instanceof ClientError && err.kind === 'temporary')
    return err.code === 'TIMEOUT' ? 'TIMEOUT' : 'AI_UNAVAILABLE';
  if (err instanceof ClientError && err.code === 'AI_UNAVAILABLE') return 'AI_UNAVAILABLE';
  return 'AI_BAD_OUTPUT';
}

/** No other conversation of the account can be read either: the connection, the session, or our turn on it is gone. */
export function concernsWholeAccount(err: unknown): boolean {
  if (err instanceof AccountBusy) return true;
  if (!(err instanceof ClientError) || err.service !== 'messenger') return false;
  if (err.kind === 'auth' || err.kind === 'rateLimited') return true;
  return ['UNREACHABLE', 'TIMEOUT', 'PARSER_POISONED'].includes(err.code);
}
