import { ANSWER_CACHE_DAYS } from '../../pages/ask/service.ts';

/** Retention of each kind of data in days, for the clean-up and the privacy page. */
export const KEPT_DAYS = {
  digests: 365,
  /** Counted from the promise's closing or last mention, of an open one at the earliest from its day. */
  promises: 365,
  /** Counted from when the question was asked. */
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

/** Below this number of rows, a share says nothing. */
const ENOUGH_ROWS = 1000;
const UNUSUAL_SHARE = 0.1;

/** Whether more than a tenth of the rows would go. A daily clean-up normally deletes a few rows per thousand. */
export function isUnusuallyLarge({ old, all }: { old: number; all: number }): boolean {
  return all >= ENOUGH_ROWS && old > UNUSUAL_SHARE * all;
}
