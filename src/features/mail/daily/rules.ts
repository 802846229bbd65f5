import type { MailMode } from '../../base/settings/schema.ts';
import { isUrgent } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';
import { MAX_NEWS } from '../../pages/today/rules.ts';
import type { SyncError } from '../../sync/schema.ts';

/** The counts of the day, as Today shows them. */
export type MailCounts = {
  /** The user's own promises: due on the present day, overdue, and urgent without a day. */
  dueToday: number;
  overdue: number;
  urgent: number;
  /** Appointments and deadlines of the present day that are not the user's alone. */
  dated: number;
  /** Due on the next day: the user's own promises, appointments and deadlines. */
  tomorrow: number;
  /** Conversations in which someone waits for the user. */
  waiting: number;
  digests: number;
  unmutedDigests: number;
  urgentDigests: number;
};

/** The digests for the mail, without those of muted conversations, and how many of them are urgent. */
export function chooseDigests(written: readonly Digest[]): { shown: Digest[]; urgent: number } {
  const shown = written.filter(({ dialog }) => !dialog.isMuted);
  return { shown, urgent: shown.filter(isUrgent).length };
}

/** Whether the day is worth an email to a user who chose `mode`. @param errors of the sync that ended */
export function isDayWorthMail(mode: MailMode, counts: MailCounts, errors: SyncError[]): boolean {
  if (mode === 'OFF') return false;
  // Sent only once, as a lost connection isn't read again; every day where the key of the account is lost.
  if (errors.some(({ code }) => code === 'SESSION_EXPIRED')) return true;
  if (mode === 'URGENT') return counts.urgentDigests > 0;
  const { dueToday, overdue, urgent, dated, tomorrow, waiting, unmutedDigests } = counts;
  return dueToday + overdue + urgent + dated + tomorrow + waiting + unmutedDigests > 0;
}

/** Lines of a mail, without those on closed promises and on tomorrow. So many are read on a phone in two minutes. */
export const MAX_LINES = 12;

type Lines = Record<'digests' | 'due' | 'overdue' | 'waiting', number>;

/**
 * Rounds in which parts of the mail get lines, at most `most` each, with one for the number of those left out: first the
 * three greatest news, as on Today, then what is due, then the others by importance.
 */
const ROUNDS: readonly [part: keyof Lines, most: number][] = [
  ['digests', MAX_NEWS + 1],
  ['due', 4],
  ['overdue', 2],
  ['waiting', 2],
  ['overdue', 3],
  ['waiting', 3],
  ['due', MAX_LINES],
  ['waiting', MAX_LINES],
  ['digests', MAX_LINES],
];

/** Distributes a mail's lines among its parts. */
export function shareLines(requested: Lines): Lines {
  const lines: Lines = { digests: 0, due: 0, overdue: 0, waiting: 0 };
  let left = MAX_LINES;
  for (const [part, most] of ROUNDS) {
    const more = Math.max(0, Math.min(left, Math.min(requested[part], most) - lines[part]));
    lines[part] += more;
    left -= more;
  }
  return lines;
}
