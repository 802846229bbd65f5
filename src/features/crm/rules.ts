import type { CrmObject } from '../../clients/crm/types.ts';
import { ClientError } from '../../clients/errors.ts';
import { ADMIN_FAILURES, type CrmFailure } from '../../lib/failures.ts';
import type { Requirement } from './schema.ts';

/** How often a note or a task that the CRM refuses is tried, and the pause between tries: longer than a sync waits for it. */
const RETRY_REFUSED = { tries: 3, pauseSeconds: 60 };
/** A record that waits for a change by the account's administrator is tried once, and again with each sync. A removal stays due. */
const RETRY_WAITING_FOR_ADMIN = { tries: 1, pauseSeconds: 60 };

/** How often a record is tried that the CRM refuses with this failure. */
export function chooseRetries(failure: CrmFailure): { tries: number; pauseSeconds: number } {
  return ADMIN_FAILURES.includes(failure) ? RETRY_WAITING_FOR_ADMIN : RETRY_REFUSED;
}

export const isCrmError = (err: unknown): err is ClientError => err instanceof ClientError && err.service === 'crm';

/** Maps an error of the CRM to a failure of the catalogue. */
export function crmFailure(err: unknown): CrmFailure {
  if (!(err instanceof ClientError)) return 'CRM_UNAVAILABLE';
  if (err.kind === 'auth') return 'CRM_AUTH';
  if (err.kind === 'rateLimited') return 'CRM_RATE_LIMIT';
  const held = ADMIN_FAILURES.find(failure => failure === err.code);
  if (held) return held;
  if (err.kind === 'permanent') return 'CRM_REFUSED';
  return err.code === 'TIMEOUT' ? 'CRM_TIMEOUT' : 'CRM_UNAVAILABLE';
}

/** Requirements without an accepted value, which keep records of a type from being written; without `type`, of any. */
export function unfilledRequirements(requirements: readonly Requirement[], type?: CrmObject): Requirement[] {
  const ofType = requirements.filter(requirement => type === undefined || requirement.type === type);
  return ofType.filter(({ value, isRefused }) => value === '' || isRefused);
}
