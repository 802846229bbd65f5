import type { ClientError } from '../../clients/errors.ts';
import type { NoteTrouble } from './schema.ts';

/** What stood in the way of a user's notes, once for each kind. */
export type FailureCollector = {
  add(code: NoteTrouble['code'], dialogIds: readonly string[]): void;
  list(): NoteTrouble[];
};

export function collectFailures(): FailureCollector {
  const kinds = new Map<NoteTrouble['code'], Set<string>>();
  return {
    add(code, dialogIds) {
      const known = kinds.get(code) ?? new Set();
      for (const id of dialogIds) known.add(id);
      kinds.set(code, known);
    },
    list: () => [...kinds].map(([code, dialogIds]) => ({ code, dialogIds: [...dialogIds] })),
  };
}

/** The code of an error of the CRM. */
export function codeOf(err: ClientError): NoteTrouble['code'] {
  if (err.kind === 'auth') return 'CRM_AUTH';
  if (err.kind === 'rateLimited') return 'CRM_RATE_LIMIT';
  if (err.kind === 'permanent') return 'CRM_REFUSED';
  return err.code === 'TIMEOUT' ? 'TIMEOUT' : 'CRM_UNAVAILABLE';
}

/** Seconds before the same is tried again. After a call that may have come through late, time for it to do so. */
export function pauseAfter(err: ClientError): number {
  if (err.kind === 'rateLimited') return err.retryAfterSeconds ?? 10;
  if (err.kind === 'temporary') return 5;
  return err.kind === 'auth' ? 1 : 60;
}
