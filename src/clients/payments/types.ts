/** The provider's data on a subscription; undefined where it gives none. Of several ids, the first one known here counts. */
export type SubscriptionFacts = {
  subscriptionId: string | undefined;
  customerId: string | undefined;
  /** Ids of our users that the order itself names, the most reliable first. They may not exist. */
  userIds: string[];
  /** The payer's address; the weakest hint. */
  email?: string | undefined;
  priceIds: string[];
  /** The plan's name when the order was placed; it may not be one of our plans. */
  planName: string | undefined;
  /** The provider's own word, such as `active`, `past_due` or `canceled`. */
  status: string | undefined;
  periodEnd?: Date | undefined;
  /** When a live subscription ends; null when it renews. */
  endsAt?: Date | null | undefined;
  startedAt?: Date | undefined;
};

export type PaymentFailure = {
  /** In the currency's smallest unit. */
  amountDue: number;
  /** ISO 4217, in lower case. */
  currency: string;
  attempt: number;
  nextTryAt: Date | undefined;
};

/** The price of one period of a subscription. */
export type PriceFacts = {
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO 4217, in lower case. */
  currency: string;
  interval: 'day' | 'week' | 'month' | 'year';
  /** Number of intervals per period. */
  intervalCount: number;
};

type PaymentUpdateKind =
  | 'checkoutCompleted'
  | 'paymentSucceeded'
  | 'paymentFailed'
  | 'subscriptionUpdated'
  | 'subscriptionDeleted';

export type PaymentUpdate = SubscriptionFacts & { kind: PaymentUpdateKind; failure: PaymentFailure | undefined };

export type PaymentEvent = {
  id: string;
  /** The provider's own name for it. */
  type: string;
  /** Whole seconds: many events have the same. */
  createdAt: Date;
  /** Undefined if the event is of none of our five kinds or lacks content. */
  news: PaymentUpdate | undefined;
};

/**
 * The payment provider. Every method but `verifyEvent` has a deadline and throws ClientError (service `payments`):
 * `PAYMENT_UNREACHABLE PAYMENT_UNAVAILABLE TIMEOUT` (temporary), `PAYMENT_RATE_LIMIT` (rateLimited), `PAYMENT_AUTH`
 * (auth: the operator's key is wrong), `PAYMENT_NOT_FOUND PAYMENT_REFUSED` (permanent).
 */
export type PaymentsClient = {
  /** Returns the address of the page where the person pays. */
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
  /** Returns the address of the page where the person sees invoices, changes cards and cancels. */
  createPortal(about: { customerId: string; returnUrl: string }): Promise<{ url: string }>;
  /** Undefined for a price that is unknown, or that is not the same sum each period. */
  readPrice(priceId: string): Promise<PriceFacts | undefined>;
  /** The subscription as it is now; undefined when there is none. */
  readSubscription(subscriptionId: string): Promise<SubscriptionFacts | undefined>;
  /** Cancels at once. One that is over or unknown counts as cancelled. */
  cancelSubscription(subscriptionId: string): Promise<void>;
  /** Undefined for notices without content. Throws SignatureRefused. @param rawBody as it came, byte for byte */
  verifyEvent(rawBody: Uint8Array, signatureHeader: string | undefined, now: Date): PaymentEvent | undefined;
  /** The origins of its pages, so that the browser is allowed to go there. */
  pageOrigins: readonly string[];
};
