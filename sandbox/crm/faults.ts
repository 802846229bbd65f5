import type { Fault, Faults } from '../faultPlan.ts';

export type CrmFault = Pick<Fault, 'status' | 'retryAfterSeconds' | 'delayMs' | 'isSilent' | 'losesAnswer'>;

/** The vendor's endpoints and versions name the error in different fields. */
export type WordField = 'status' | 'category' | 'error';

/** The faults that a test can plan. Kinds are those of {@link SeenCall}: `contacts.search`, `oauth.refresh`. */
export type CrmFaults = Faults<CrmFault> & {
  /** Every access token has expired from this moment; refreshing gives new ones. */
  expireAccessTokens(): void;
  /**
   * The person has removed the app: none of their tokens works any longer, in any account.
   * @param field the only field of the answer that says so; by default as in the vendor's older answers
   */
  revokeGrants(field?: WordField): void;
};
