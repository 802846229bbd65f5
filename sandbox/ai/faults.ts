/** What the next answers are instead of the model's. */
export type Fault =
  /** An error as the vendors send it. */
  | { kind: 'error'; status: number; code?: string; type?: string; message?: string; retryAfter?: string }
  /** A proxy's page with status 200. */
  | { kind: 'html' }
  /** A completion in which the model declines. */
  | { kind: 'refusal' }
  /** A completion stopped by the vendor's filter. */
  | { kind: 'contentFilter' }
  /** The model's answer, cut off in the middle. */
  | { kind: 'length' }
  /** The model's words instead of JSON. */
  | { kind: 'notJson'; text?: string }
  /** Accepted, and never answered. */
  | { kind: 'silence' }
  /** Half of the answer, then nothing. */
  | { kind: 'halfAnswer' }
  /** The connection breaks. */
  | { kind: 'drop' };

/** As OpenAI words it; the account has no money left. */
export const NO_QUOTA: Fault = {
  kind: 'error',
  status: 429,
  code: 'insufficient_quota',
  type: 'insufficient_quota',
  message: 'You exceeded your current quota, please check your plan and billing details.',
};

/** @param retryAfter seconds, or an HTTP date */
export function tooManyRequests(retryAfter: string): Fault {
  const message = 'Rate limit reached for requests';
  return { kind: 'error', status: 429, code: 'rate_limit_exceeded', type: 'requests', message, retryAfter };
}
