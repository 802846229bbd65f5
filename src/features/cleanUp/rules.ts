import { EVENT_DAYS } from '../billing/service.ts';
import { TOKENS_KEPT_DAYS } from '../signIn/service.ts';

/** For how many days what is kept for a time is kept. The clean-up and the page about privacy both read it here. */
export const KEPT_DAYS = {
  digests: 365,
  syncJobs: 30,
  alerts: 30,
  crmWebhooks: 30,
  /** Ids of the payment provider's events, and subscriptions that are over. */
  paymentEvents: EVENT_DAYS,
  signInTokens: TOKENS_KEPT_DAYS,
  /** Sign-ins at the messenger that were begun, after they have run out. */
  messengerLogins: 1,
} as const;
