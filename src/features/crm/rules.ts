import { ClientError } from '../../clients/errors.ts';

export function isCrmError(err: unknown): err is ClientError {
  return err instanceof ClientError && err.service === 'crm';
}
