import type { MessengerAccount } from './schema.ts';

/** The messenger has asked for no calls until later. */
export function isFlooded({ floodUntil }: Pick<MessengerAccount, 'floodUntil'>, now: Date): boolean {
  return floodUntil !== null && floodUntil > now;
}

/** A sync that starts now could read this account. */
export function canBeRead(account: Pick<MessengerAccount, 'status' | 'floodUntil'>, now: Date): boolean {
  return account.status === 'active' && !isFlooded(account, now);
}

/** Those the plan counts. */
export function activeOf(accounts: MessengerAccount[]): MessengerAccount[] {
  return accounts.filter(({ status }) => status === 'active');
}

/** Signing in to an active account again makes no further one. @param phone E.164 */
export function hasRoomFor(phone: string, accounts: MessengerAccount[], included: number): boolean {
  return activeOf(accounts).filter(account => account.phone !== phone).length < included;
}
