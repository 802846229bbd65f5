import { countOf } from '../../../lib/words.ts';

/** Whether an address may have an account: with an owner, no other may. Both are in lower case. */
export function isAdmitted({ ownerEmail }: { ownerEmail?: string | undefined }, email: string): boolean {
  return ownerEmail === undefined || email === ownerEmail;
}

/** `1 minute`, `14 minutes`. Never less than it takes. */
export function waitingWords(seconds: number): string {
  return countOf(Math.max(1, Math.ceil(seconds / 60)), 'minute', 'minutes');
}
