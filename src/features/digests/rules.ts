import { dayBefore } from '../../lib/timezones.ts';
import { type Digest, WRITING_STATES, type WritingState } from './schema.ts';

/**
 * The moves of a digest, and the states each may start from: every statement that changes one reads them here.
 * PENDING > SUMMARIZING > COMPLETE, or SKIPPED straight from PENDING. A second sync on the same day takes any row up
 * again; so does the next try after a crash or a failure. Its note has states of its own.
 */
export const MOVES = {
  queue: { to: 'PENDING', from: WRITING_STATES },
  startSummary: { to: 'SUMMARIZING', from: ['PENDING', 'SUMMARIZING'] },
  /** From PENDING where the summary takes no time: the state in between would be over before anyone could see it. */
  complete: { to: 'COMPLETE', from: ['PENDING', 'SUMMARIZING'] },
  skip: { to: 'SKIPPED', from: ['PENDING', 'SUMMARIZING'] },
  fail: { to: 'FAILED', from: ['PENDING', 'SUMMARIZING'] },
  /** Its messages are gone, or must not be read any more: back to what was written before. */
  settle: { to: 'COMPLETE', from: ['PENDING', 'SUMMARIZING', 'FAILED'] },
} as const satisfies Record<string, { to: WritingState; from: readonly WritingState[] }>;

export type Move = keyof typeof MOVES;

/** The digest is written: only its note failed. */
export const isNoteRefused = ({ writing, status }: Digest) => writing === 'COMPLETE' && status === 'FAILED';

/** Days of a plot, the present one included. */
export const CHART_DAYS = 30;

/** For this many days, the present one included, an urgent digest puts what it asks for on Today. */
export const DAYS_OF_NEWS = 2;

/** The first of these days. @param today YYYY-MM-DD */
export function newsSince(today: string): string {
  return dayBefore(today, DAYS_OF_NEWS - 1);
}

/** Urgent, and not yet done. */
export function isUrgent(digest: Digest): boolean {
  return digest.structured.urgency === 'high' && !isDone(digest);
}

/** Its messages are in the digest of a later day. */
export function isWrittenLater(digest: Digest): boolean {
  return digest.isCovered && !isWritten(digest);
}

/** All action items are done. */
function isDone({ structured: { actionItems }, ticked }: Digest): boolean {
  return actionItems.length > 0 && actionItems.every(({ id }) => ticked.has(id));
}

/** A row that is being rewritten shows its previous text. */
export function isWritten({ summary, writing }: Digest): boolean {
  return summary !== '' && writing !== 'SKIPPED' && writing !== 'FAILED';
}
