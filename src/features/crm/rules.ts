import { ClientError } from '../../clients/errors.ts';
import type { CrmFailure } from '../../lib/failures.ts';

export function isCrmError(err: unknown): err is ClientError {
  return err instanceof ClientError && err.service === 'crm';
}

/** What the CRM failed with, for the catalogue of failures. */
export function crmFailure(err: unknown): CrmFailure {
  if (!(err instanceof ClientError)) return 'CRM_UNAVAILABLE';
  if (err.kind === 'auth') return 'CRM_AUTH';
  if (err.kind === 'rateLimited') return 'CRM_RATE_LIMIT';
  if (err.code === 'CRM_PROPERTY_REQUIRED' || err.code === 'CRM_ASSOCIATION_REFUSED') return err.code;
  if (err.kind === 'permanent') return 'CRM_REFUSED';
  return err.code === 'TIMEOUT' ? 'CRM_TIMEOUT' : 'CRM_UNAVAILABLE';
}
