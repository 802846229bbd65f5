import type { CrmObject } from '../../../clients/crm/types.ts';
import { ClientError } from '../../../clients/errors.ts';
import { type CrmFailure, describeFailure, type Failure } from '../../../lib/failures.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { AccountBusy } from '../../messenger/withAccount.ts';
import type { SyncError } from '../schema.ts';

type Stage = SyncError['stage'];

/** What failed in this step of a sync. What fails in the CRM is no failure of a step. */
export function failureOf(stage: Stage, err: unknown): Failure {
  return stage === 'summarize' ? summarizerFailure(err) : messengerFailure(err, { isList: stage === 'connect' });
}

/** What went wrong while a conversation was read, or with `isList` while the account's conversations were listed. */
function messengerFailure(err: unknown, { isList }: { isList: boolean }): Failure {
  if (err instanceof AccountBusy) return 'MESSENGER_NOT_CONNECTED';
  const { kind, code } = err instanceof ClientError ? err : { kind: undefined, code: '' };
  if (code === 'IN_USE' || code === 'ACCOUNT_BANNED' || code === 'ACCOUNT_FROZEN') return code;
  if (kind === 'auth') return 'SESSION_EXPIRED';
  if (kind === 'rateLimited') return 'FLOOD_WAIT';
  if (code === 'TIMEOUT') return 'TIMEOUT';
  if (isList) return kind === 'temporary' ? 'OUT_OF_REACH' : 'NO_LIST';
  return code === 'PARSER_POISONED' ? 'UNREADABLE' : 'MESSENGER_UNAVAILABLE';
}

function summarizerFailure(err: unknown): Failure {
  if (!(err instanceof ClientError)) return 'AI_BAD_OUTPUT';
  if (err.kind === 'temporary' && err.code === 'TIMEOUT') return 'SUMMARY_TIMEOUT';
  return err.kind === 'temporary' || err.code === 'AI_UNAVAILABLE' ? 'AI_UNAVAILABLE' : 'AI_BAD_OUTPUT';
}

/** Whether no other conversation of the account can be read: the connection, session or our turn on it is gone. */
export function concernsWholeAccount(err: unknown): boolean {
  if (err instanceof AccountBusy) return true;
  if (!(err instanceof ClientError) || err.service !== 'messenger') return false;
  if (err.kind === 'auth' || err.kind === 'rateLimited') return true;
  return ['UNREACHABLE', 'TIMEOUT', 'PARSER_POISONED', 'ACCOUNT_FROZEN'].includes(err.code);
}

/** What failed in the CRM, reported once, however many conversations it concerns. */
export type SyncFailure = { stage: Extract<SyncError['stage'], 'match' | 'crm'>; failure: CrmFailure; of?: CrmObject };

const LATER = { match: 'Contacts are looked up at the next sync.', crm: 'The notes are written later.' };

export function toCrmError(
  { stage, failure, dialogIds, what = '' }: Omit<SyncFailure, 'of'> & { dialogIds: string[]; what?: string },
  dialog?: Dialog,
): SyncError {
  const { sentence, advice, code, mayPass } = describeFailure(failure, dialogIds.length, what);
  const about = { dialogId: dialog?.id ?? null, peerName: dialog?.peerName ?? null };
  const message = `${sentence} ${mayPass ? LATER[stage] : advice}`.trim();
  return { ...about, stage, code, message, retryable: mayPass };
}
