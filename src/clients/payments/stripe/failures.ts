import Stripe from 'stripe';
import { withDeadline } from '../../../lib/deadline.ts';
import { ClientError } from '../../errors.ts';

const service = 'payments';

/** Runs one call within `milliseconds`; the library itself waits as long as the provider asks between two tries. */
export async function callWithin<T>(milliseconds: number, call: () => Promise<T>): Promise<T> {
  const tooLate = () => new ClientError({ service, kind: 'temporary', code: 'TIMEOUT' });
  return withDeadline(call(), milliseconds, tooLate).catch(err => {
    throw toClientError(err);
  });
}

/** Leaves out the vendor's error as the cause: it holds what was sent. */
function toClientError(err: unknown): unknown {
  if (!(err instanceof Stripe.errors.StripeError)) return err;
  if (err instanceof Stripe.errors.StripeConnectionError) {
    return new ClientError({ service, kind: 'temporary', code: 'PAYMENT_UNREACHABLE' });
  }
  const { statusCode = 500 } = err;
  if (statusCode === 401 || statusCode === 403) return new ClientError({ service, kind: 'auth', code: 'PAYMENT_AUTH' });
  if (statusCode === 429) {
    const retryAfterSeconds = Number(err.headers?.['retry-after']) || 5;
    return new ClientError({ service, kind: 'rateLimited', code: 'PAYMENT_RATE_LIMIT', retryAfterSeconds });
  }
  if (err.code === 'resource_missing' || statusCode === 404) {
    return new ClientError({ service, kind: 'permanent', code: 'PAYMENT_NOT_FOUND' });
  }
  const isPassing = statusCode >= 500 || statusCode === 409;
  return new ClientError(
    isPassing
      ? { service, kind: 'temporary', code: 'PAYMENT_UNAVAILABLE' }
      : { service, kind: 'permanent', code: 'PAYMENT_REFUSED' },
  );
}

export function isNotFound(err: unknown): boolean {
  return err instanceof ClientError && err.service === service && err.code === 'PAYMENT_NOT_FOUND';
}
