/**
 * What the provider says of one subscription, as far as it says it: undefined where it is silent.
 * Of ids in lists the first that is known counts.
 */
export type SubscriptionFacts = {
  subscriptionId: string | undefined;
  customerId: string | undefined;
  /** Users of ours that the order itself names, the most reliable first. Not believed to exist. */
  userIds: string[];
  /** Of the payer; the weakest hint. */
  email: string | undefined;
  priceIds: string[];
  /** The plan's name as the order was placed. Not believed to be one. */
  planName: string | undefined;
  /** The provider's own word, such as `active`, `past_due` or `canceled`. */
  status: string | undefined;
  periodEnd: Date | undefined;
  /** When a live subscription ends; null when it renews. */
  endsAt: Date | null | undefined;
  startedAt: Date | undefined;
};

export type PaymentFailure = {
  /** In the currency's smallest unit. */
  amountDue: number;
  /** ISO 4217, in lower case. */
  currency: string;
  attempt: number;
  nextTryAt: Date | undefined;
};

/** What one period of a subscription costs. */
export type PriceFacts = {
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO 4217, in lower case. */
  currency: string;
  interval: 'day' | 'week' | 'month' | 'year';
  /** So many of them are one period. */
  intervalCount: number;
};

type PaymentNewsKind =
  | 'checkoutCompleted'
  | 'paymentSucceeded'
  | 'paymentFailed'
  | 'subscriptionUpdated'
  | 'subscriptionDeleted';

export type PaymentNews = SubscriptionFacts & { kind: PaymentNewsKind; failure: PaymentFailure | undefined };

export type PaymentEvent = {
  id: string;
  /** The provider's own name for it. */
  type: string;
  /** Whole seconds: many events have the same. */
  createdAt: Date;
  /** Undefined for what is none of our five kinds, or not about a subscription. */
  news: PaymentNews | undefined;
};

/** The body is not from the provider, or not from just now. */
export class SignatureRefused extends Error {}

/**
 * The payment provider. Every method but `verifyEvent` has a deadline and throws ClientError (service `payments`):
 * `PAYMENT_UNREACHABLE PAYMENT_UNAVAILABLE TIMEOUT` (temporary), `PAYMENT_RATE_LIMIT` (rateLimited), `PAYMENT_AUTH` (auth: the operator's
 * key is wrong), `PAYMENT_NOT_FOUND PAYMENT_REFUSED` (permanent).
 */
export type PaymentsClient = {
  /** Answers with the address of the page where the person pays. */
  createCheckout(order: {
    userId: string;
    email: string;
    /** A customer the provider knows already. */
    customerId?: string | undefined;
    plan: string;
    priceId: string;
    successUrl: string;
    cancelUrl: string;
  }): Promise<{ url: string }>;
  /** Answers with the address of the page where the person sees invoices, changes cards and cancels. */
  createPortal(about: { customerId: string; returnUrl: string }): Promise<{ url: string }>;
  /** Undefined for one that is unknown, or that is not the same sum each period. */
  readPrice(priceId: string): Promise<PriceFacts | undefined>;
  /** As it is now; undefined when there is none. */
  readSubscription(subscriptionId: string): Promise<SubscriptionFacts | undefined>;
  /** At once. One that is over or unknown counts as cancelled. */
  cancelSubscription(subscriptionId: string): Promise<void>;
  /**
   * Undefined for notices that carry nothing. No network. Throws {@link SignatureRefused}.
   * @param rawBody as it came, byte for byte
   */
  verifyEvent(rawBody: Uint8Array, signatureHeader: string | undefined, now: Date): PaymentEvent | undefined;
  /** Where its pages are, for the browser to be allowed there. */
  pageOrigins: readonly string[];
};
