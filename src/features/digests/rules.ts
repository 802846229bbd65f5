import { type Digest, type DigestStatus, NOTE_REFUSED } from './schema.ts';

/**
 * The moves of a digest, and the states each may start from. PENDING > SUMMARIZING > SYNCING > COMPLETE; without a CRM
 * contact SUMMARIZING > COMPLETE. A second sync on the same day takes any row up again; so does the next try after a
 * crash or a failure. SKIPPED straight from PENDING.
 */
export const MOVES = {
  queue: { to: 'PENDING', from: ['PENDING', 'SUMMARIZING', 'SYNCING', 'COMPLETE', 'FAILED', 'SKIPPED'] },
  startSummary: { to: 'SUMMARIZING', from: ['PENDING', 'SUMMARIZING'] },
  /** With a CRM contact to write to. Later, too: from COMPLETE, and from FAILED where only the note failed. */
  startNote: { to: 'SYNCING', from: ['PENDING', 'SUMMARIZING', 'SYNCING', 'COMPLETE', 'FAILED'] },
  finishNote: { to: 'COMPLETE', from: ['SYNCING'] },
  refuseNote: { to: 'FAILED', from: ['SYNCING'] },
  /** From PENDING where the summary takes no time: the state in between would be over before anyone could see it. */
  complete: { to: 'COMPLETE', from: ['PENDING', 'SUMMARIZING', 'SYNCING'] },
  skip: { to: 'SKIPPED', from: ['PENDING', 'SUMMARIZING'] },
  fail: { to: 'FAILED', from: ['PENDING', 'SUMMARIZING'] },
  /** Its messages are gone, or not to be read any more: back to what was written before. */
  settle: { to: 'COMPLETE', from: ['PENDING', 'SUMMARIZING', 'FAILED'] },
} as const satisfies Record<string, { to: DigestStatus; from: readonly DigestStatus[] }>;

export type Move = keyof typeof MOVES;

/** Only the note failed: the messages are read and the summary stands. */
export function isNoteRefused({ status, reason }: { status: DigestStatus; reason: string | null }): boolean {
  return status === 'FAILED' && reason === NOTE_REFUSED;
}

/** Days of a plot, the present one included. */
export const CHART_DAYS = 30;

/** Urgent, and not done with. */
export function isUrgent(digest: Digest): boolean {
  return digest.structured.urgency === 'high' && !isDone(digest);
}

/** Its messages stand in the digest of a later day. */
export function isWrittenLater(digest: Digest): boolean {
  return digest.isCovered && !isWritten(digest);
}

/** All that was to do is ticked. */
export function isDone({ structured: { actionItems }, ticked }: Digest): boolean {
  return actionItems.length > 0 && actionItems.every(({ id }) => ticked.has(id));
}

/** A row that is being rewritten shows what it said before; one whose note the CRM refused is written all the same. */
export const isWritten = (digest: Digest) =>
  digest.summary !== '' && digest.status !== 'SKIPPED' && (digest.status !== 'FAILED' || isNoteRefused(digest));
