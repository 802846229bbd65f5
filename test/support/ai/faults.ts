import type { Fault } from '../../../sandbox/faultPlan.ts';

const USELESS = ['html', 'refusal', 'length', 'notJson', 'halfAnswer'] as const;

/** What a request meets instead of the model's answer. */
export type AiFault = Pick<Fault, 'status' | 'delayMs' | 'isSilent' | 'losesAnswer'> & {
  /** With a status: the rest of an error as the vendors send it. */
  code?: string;
  type?: string;
  message?: string;
  /** Seconds, or an HTTP date. */
  retryAfter?: string;
  /**
   * An answer with status 200 that is no use: a proxy's page, a model that declines, the model's
   * answer cut off in the middle, other words than JSON, or half of the answer and then nothing. Of a download, half-way: a full disk, a connection that breaks, or silence.
   */
  kind?: (typeof USELESS)[number] | 'diskFull' | 'breaks' | 'stalls';
  /** With `notJson`: the words. */
  text?: string;
};

/** As OpenAI words it; the account has no money left. */
export const NO_QUOTA: AiFault = {
  status: 429,
  code: 'insufficient_quota',
  type: 'insufficient_quota',
  message: 'You exceeded your current quota, please check your plan and billing details.',
};

/** @param retryAfter seconds, or an HTTP date */
export function tooManyRequests(retryAfter: string): AiFault {
  const message = 'Rate limit reached for requests';
  return { status: 429, code: 'rate_limit_exceeded', type: 'requests', message, retryAfter };
}
