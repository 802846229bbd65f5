import { dayAfter } from '../../../lib/timezones.ts';
import { countOf, formatCount, weekdayOf } from '../../../lib/words.ts';
import type { MailMode } from '../../base/settings/schema.ts';
import { isUrgent } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';
import type { SyncError } from '../../sync/schema.ts';

/** What is due on a day to come: the user's own promises, and appointments and deadlines that are not theirs alone. */
export type DayToCome = { promises: number; dates: number };

/** What the day comes to, in the numbers of Today. */
export type MailCounts = {
  /** The user's own promises: due on the present day, overdue, those of them that may be settled, and urgent without a day. */
  today: number;
  late: number;
  lateAsked: number;
  urgent: number;
  /** Appointments and deadlines of the present day that are not the user's alone. */
  dated: number;
  /** In a mail after noon. */
  tomorrow: DayToCome | undefined;
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
  const { today, late, urgent, dated, tomorrow, waiting, unmutedDigests } = counts;
  return today + late + urgent + dated + allOf(tomorrow) + waiting + unmutedDigests > 0;
}

/**
 * From counts alone, nothing of what was said: "Your Monday: 3 promises due, 1 overdue, 2 people waiting"; after noon
 * "Tomorrow, Tuesday: 2 promises due, 1 still due today".
 * @param day YYYY-MM-DD
 * @param isUnread nothing newer than the last whole sync could be read
 */
export function subjectFor(day: string, counts: MailCounts, isUnread: boolean): string {
  const { today, late, lateAsked, urgent, dated, tomorrow, waiting, urgentDigests, digests } = counts;
  const ahead = tomorrow ?? { promises: today, dates: dated };
  const duties = [
    { count: ahead.promises, words: 'due' },
    { count: late - lateAsked, words: 'overdue' },
    { count: urgent, words: 'urgent' },
    { count: lateAsked, words: 'perhaps settled' },
  ].filter(({ count }) => count > 0);
  const parts = duties.map(({ count, words }, n) =>
    n === 0 ? `${countOf(count, 'promise', 'promises')} ${words}` : `${formatCount(count)} ${words}`,
  );
  const dates = ahead.dates > 0 ? [countOf(ahead.dates, 'date', 'dates')] : [];
  const stillToday = tomorrow && today + dated > 0 ? [`${formatCount(today + dated)} still due today`] : [];
  parts.splice(Math.min(ahead.promises, 1), 0, ...dates, ...stillToday);
  if (allOf(ahead) === 0 && (tomorrow || duties.length === 0)) parts.unshift('nothing due');
  if (urgent === 0 && urgentDigests > 0) {
    parts.push(countOf(urgentDigests, 'urgent conversation', 'urgent conversations'));
  }
  if (waiting > 0) parts.push(`${countOf(waiting, 'person', 'people')} waiting`);
  if (isUnread && digests === 0) parts.push('nothing new could be read');
  else if (parts.length === 1 && duties.length + ahead.dates === 0) parts.push('no one waiting');
  const name = tomorrow ? `Tomorrow, ${weekdayOf(dayAfter(day, 1))}` : `Your ${weekdayOf(day)}`;
  return `${name}: ${parts.join(', ')}`;
}

/** Promises and dates together; none where the day isn't part of the mail. */
export function allOf(day: DayToCome | undefined): number {
  return day ? day.promises + day.dates : 0;
}

/** As many as can be read in two minutes on a phone; the rest is on Today. */
export const MOST_LINES = 12;
/** What is due leaves this many lines to those who wait, and to urgent digests. */
const LEAST_WAITING = 3;
const LEAST_URGENT = 2;
/** After noon, what is due tomorrow leaves this many to what is still due today. */
const LEAST_TODAY = 2;
/** What is past its day was in earlier mails, but two that are overdue are named where there is room. */
const MOST_LATE = 3;
const LEAST_LATE = 2;
/** Before that, this many lines are left to what is due. */
const LEAST_DUE = 4;

type Wanted = {
  tomorrow: number;
  due: number;
  waiting: number;
  late: number;
  /** What is overdue and not perhaps settled. */
  overdue: number;
  digests: number;
  /** Digests that are urgent. */
  urgent: number;
  /** Lines that are there in any case. */
  others: number;
};

/** How many of a mail's lines each part gets. What is past its day and the digests get at least the line with their number. */
export function shareLines({ tomorrow, due, waiting, late, overdue, digests, urgent, others }: Wanted) {
  const free = Math.max(0, MOST_LINES - others);
  const leastDigests = Math.min(digests, 1 + Math.min(urgent, LEAST_URGENT));
  const leastDue = Math.min(tomorrow, 1) + Math.min(due, 1);
  const spare = free - leastDigests - Math.min(tomorrow + due, LEAST_DUE) - Math.min(waiting, LEAST_WAITING);
  const leastLate = Math.min(late, Math.max(1, Math.min(spare, 1 + Math.min(overdue, LEAST_LATE))));
  const left = free - leastDigests - leastLate;
  const forBoth = Math.max(leastDue, left - Math.min(waiting, LEAST_WAITING));
  const forToday = Math.min(due, LEAST_TODAY, forBoth - Math.min(tomorrow, 1));
  const ofTomorrow = Math.min(tomorrow, forBoth - forToday);
  const ofDue = Math.min(due, forBoth - ofTomorrow);
  const ofWaiting = Math.min(waiting, left - ofTomorrow - ofDue);
  const ofLate = Math.min(late, MOST_LATE, left + leastLate - ofTomorrow - ofDue - ofWaiting);
  const ofDigests = Math.min(digests, free - ofTomorrow - ofDue - ofWaiting - ofLate);
  return { tomorrow: ofTomorrow, due: ofDue, waiting: ofWaiting, late: ofLate, digests: ofDigests };
}
