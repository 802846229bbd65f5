import { ANSWER_CACHE_DAYS } from '../../pages/ask/service.ts';

/** How many days each kind of data is kept. Both the clean-up and the privacy page read it here. */
export const KEPT_DAYS = {
  digests: 365,
  /** After a promise was closed or last mentioned. */
  promises: 365,
  /** Without an answer, after they were asked. */
  questions: 365,
  /** Sentences that a model wrote from the passages of an answer or a brief. */
  answers: ANSWER_CACHE_DAYS,
  syncJobs: 30,
  alerts: 30,
  /** Ids of the payment provider's events, and subscriptions that are over. */
  paymentEvents: 90,
  signInTokens: 1,
  /** Messenger sign-ins that were started, counted from their expiry. */
  messengerLogins: 1,
} as const;

/** Below this, a share means nothing. */
const ENOUGH_ROWS = 1000;
const UNUSUAL_SHARE = 0.1;

/** Kept for a year and deleted daily, no more than a few of a thousand go at once. */
export function isUnusuallyLarge({ old, all }: { old: number; all: number }): boolean {
  return all >= ENOUGH_ROWS && old > UNUSUAL_SHARE * all;
}
