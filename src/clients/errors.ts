import type { ServiceName } from '../lib/failures.ts';

/** Trying again helps: `temporary` soon, `rateLimited` after `retryAfterSeconds`, `auth` after signing in again. */
export type ClientErrorKind = 'temporary' | 'rateLimited' | 'auth' | 'permanent';

type ClientErrorDetails = {
  service: ServiceName;
  kind: ClientErrorKind;
  /** A stable word for the cause, for example `CODE_INVALID` or `TIMEOUT`. */
  code: string;
  /** Only with `rateLimited`: how long the service asks us to wait. */
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** The one error every client throws. Its message holds no secret and nothing a person wrote. */
export class ClientError extends Error {
  readonly service: ServiceName;
  readonly kind: ClientErrorKind;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: ClientErrorDetails) {
    super(`${details.service}: ${details.code}`, { cause: details.cause });
    this.name = 'ClientError';
    this.service = details.service;
    this.kind = details.kind;
    this.code = details.code;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/**
 * Clients never follow redirects: these would carry messages or secrets to a host that the user hasn't approved. A retry would be
 * redirected again, so the error is permanent.
 */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Text for the operator: the status, with a note if it is a redirect. */
export function statusWords(status: number): string {
  return isRedirect(status) ? `${status}, a redirect, which is not followed` : `${status}`;
}

/** A webhook's request is not from the service, or not from just now. Its message says why, without content. */
export class SignatureRefused extends Error {}
