import { countOf } from '../../lib/words.ts';

/** `1 minute`, `14 minutes`. Never less than it takes. */
export function waitingWords(seconds: number): string {
  return countOf(Math.max(1, Math.ceil(seconds / 60)), 'minute', 'minutes');
}
