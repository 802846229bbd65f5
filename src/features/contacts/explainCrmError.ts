import { ClientError } from '../../clients/errors.ts';
import { Conflict } from '../../lib/errors.ts';
import { FAILURES } from '../../lib/failures.ts';

/**
 * The error a person sees when a call to the CRM fails. Errors that say it is down or slow pass unchanged: those
 * answers are the same everywhere.
 * @param answers.refused what a refusal, or a missing record, means here
 */
export function explainCrmError(err: unknown, answers: { refused?: () => Error } = {}): unknown {
  if (!(err instanceof ClientError) || err.service !== 'crm') return err;
  if (err.kind === 'auth') {
    return new Conflict('CRM_NOT_CONNECTED', `${FAILURES.CRM_AUTH.says} Go to Settings, Connections.`);
  }
  const isRefused = err.code === 'CRM_REFUSED' || err.code === 'CRM_CONTACT_GONE';
  return isRefused && answers.refused ? answers.refused() : err;
}
