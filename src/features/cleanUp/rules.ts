/** For how many days what is kept for a time is kept. The clean-up and the page about privacy both read it here. */
export const KEPT_DAYS = {
  digests: 365,
  /** After a promise was closed or last mentioned. */
  promises: 365,
  /** Without an answer, after they were asked. */
  questions: 365,
  syncJobs: 30,
  alerts: 30,
  crmWebhooks: 30,
  /** Ids of the payment provider's events, and subscriptions that are over. */
  paymentEvents: 90,
  signInTokens: 1,
  /** Sign-ins at the messenger that were begun, after they have run out. */
  messengerLogins: 1,
} as const;
