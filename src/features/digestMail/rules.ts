import { countOf, weekdayOf } from '../../lib/words.ts';
import { isUrgent } from '../digests/rules.ts';
import type { Digest } from '../digests/schema.ts';
import type { MailMode } from '../settings/schema.ts';
import type { SyncError } from '../sync/schema.ts';

/** What the day comes to, in the numbers of Today. */
export type MailCounts = {
  /** The user's own promises: due on the present day, overdue, and urgent without a day. */
  today: number;
  late: number;
  urgent: number;
  /** Appointments and deadlines of the present day that are not the user's alone. */
  dated: number;
  /** Conversations in which someone waits for the user. */
  waiting: number;
  digests: number;
  /** Of conversations that are not muted. */
  unmutedDigests: number;
  urgentDigests: number;
};

/** Urgent ones first; muted ones are only on Today, for whoever asks for everything. */
export function chooseDigests(written: readonly Digest[]): { shown: Digest[]; urgent: number } {
  const unmuted = written.filter(({ dialog }) => !dialog.isMuted);
  const urgent = unmuted.filter(isUrgent);
  return { shown: [...urgent, ...unmuted.filter(digest => !isUrgent(digest))], urgent: urgent.length };
}

/** Whether the day is worth an email to a user who chose `mode`. @param errors of the sync that ended */
export function isWorthAMail(mode: MailMode, counts: MailCounts, errors: SyncError[]): boolean {
  if (mode === 'OFF') return false;
  // Sent only once: a lost connection isn't read again.
  if (errors.some(({ code }) => code === 'SESSION_EXPIRED')) return true;
  if (mode === 'URGENT') return counts.urgentDigests > 0;
  const { today, late, urgent, dated, waiting, unmutedDigests } = counts;
  return today + late + urgent + dated + waiting + unmutedDigests > 0;
}

/**
 * From counts alone, nothing of what was said: "Your Monday: 3 promises due, 1 overdue, 2 people waiting".
 * @param day YYYY-MM-DD
 * @param isUnread nothing newer than the last whole sync could be read
 */
export function subjectFor(day: string, counts: MailCounts, isUnread: boolean): string {
  const { today, late, urgent, dated, waiting, urgentDigests, digests } = counts;
  const promises = (count: number, isFirst: boolean) =>
    isFirst ? countOf(count, 'promise', 'promises') : String(count);
  const parts = [
    today > 0 && `${promises(today, true)} due`,
    late > 0 && `${promises(late, today === 0)} overdue`,
    urgent > 0 && `${promises(urgent, today + late === 0)} urgent`,
    dated > 0 && countOf(dated, 'date', 'dates'),
    today + late + urgent + dated === 0 && 'nothing due',
    urgent === 0 && urgentDigests > 0 && countOf(urgentDigests, 'urgent conversation', 'urgent conversations'),
    waiting > 0 && `${countOf(waiting, 'person', 'people')} waiting`,
  ].filter(part => part !== false);
  if (isUnread && digests === 0) parts.push('nothing new could be read');
  else if (parts.length === 1 && today + late + urgent + dated === 0) parts.push('no one waiting');
  return `Your ${weekdayOf(day)}: ${parts.join(', ')}`;
}

/** As many as can be read in two minutes on a phone; the rest is on Today. */
export const MOST_LINES = 12;
/** What is due leaves this many lines to those who wait, and to urgent digests. */
const LEAST_WAITING = 3;
const LEAST_URGENT = 2;

type Wanted = {
  due: number;
  waiting: number;
  digests: number;
  /** Digests that are urgent. */
  urgent: number;
  /** Lines that are there in any case. */
  others: number;
};

/** How many of a mail's lines each part gets. The digests get at least the line with their number. */
export function shareLines({ due, waiting, digests, urgent, others }: Wanted) {
  const free = Math.max(0, MOST_LINES - others);
  const leastDigests = Math.min(digests, 1 + Math.min(urgent, LEAST_URGENT));
  const leastWaiting = Math.min(waiting, LEAST_WAITING);
  const ofDue = Math.min(due, free - leastDigests - leastWaiting);
  const ofWaiting = Math.min(waiting, free - leastDigests - ofDue);
  return { due: ofDue, waiting: ofWaiting, digests: Math.min(digests, free - ofDue - ofWaiting) };
}
