import { ClientError } from '../../clients/errors.ts';
import type { Dialog } from '../dialogs/schema.ts';
import { describeFailure, type Failure, messengerFailure, summarizerFailure } from '../digests/describeFailure.ts';
import { AccountBusy } from '../messenger/withAccount.ts';
import type { SyncError } from '../sync/schema.ts';

type Stage = SyncError['stage'];

/** What failed in this step of a sync. What fails in the CRM is no failure of a step. */
export function failureOf(stage: Stage, err: unknown): Failure {
  return stage === 'summarize' ? summarizerFailure(err) : messengerFailure(err, { isList: stage === 'connect' });
}

/** The failure in the words and the code of a job's result. Nothing of the cause's own text gets into it. */
export function toSyncError(stage: Stage, failure: Failure, dialog?: Dialog): SyncError {
  const { sentence, advice, code, mayPass } = describeFailure(failure);
  const about = { dialogId: dialog?.id ?? null, peerName: dialog?.peerName ?? null };
  return { ...about, stage, code, message: `${sentence} ${advice}`.trim(), retryable: mayPass };
}

/** No other conversation of the account can be read either: the connection, the session, or our turn on it is gone. */
export function concernsWholeAccount(err: unknown): boolean {
  if (err instanceof AccountBusy) return true;
  if (!(err instanceof ClientError) || err.service !== 'messenger') return false;
  if (err.kind === 'auth' || err.kind === 'rateLimited') return true;
  return ['UNREACHABLE', 'TIMEOUT', 'PARSER_POISONED'].includes(err.code);
}
