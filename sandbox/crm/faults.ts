import type { Fault, Faults } from '../faultPlan.ts';

export type CrmFault = Pick<Fault, 'status' | 'retryAfterSeconds' | 'delayMs' | 'isSilent' | 'losesAnswer'>;

/** The vendor's endpoints and versions say in different fields what is wrong. */
export type WordField = 'status' | 'category' | 'error';

/** Faults that a test orders. Kinds are those of {@link SeenCall}: `contacts.search`, `oauth.refresh`. */
export type CrmFaults = Faults<CrmFault> & {
  /** Every access token is too old from this moment; refreshing gives new ones. */
  expireAccessTokens(): void;
  /**
   * The person has removed the app: no token of theirs is good any more, in any account.
   * @param field where alone the word for it stands in the answer; left out, as the vendor's older answers have it
   */
  revokeGrants(field?: WordField): void;
};
