import type { RecordKind } from '../schema.ts';
import type { NoteState } from './schema.ts';

/** A note's moves, and the states each may start from, for every statement. Unwanted ones stay so until deleted. */
export const NOTE_TRANSITIONS = {
  /** A new note: its digest is written, and the next plan decides whether it goes out, and to whom. */
  expect: { from: [], to: 'undecided' },
  /** A new note that the plan wants. */
  want: { from: [], to: 'waiting' },
  /** The link was removed or changed, or writing is no longer allowed. */
  drop: { from: ['undecided', 'waiting', 'written', 'outdated', 'failed'], to: 'unwanted' },
  /** The digest changed or a person decided; the CRM has no note. */
  writeAgain: { from: ['written', 'failed'], to: 'waiting' },
  /** The digest changed or a person decided; the CRM has a note. */
  outdate: { from: ['written', 'failed'], to: 'outdated' },
  finish: { from: ['waiting', 'outdated'], to: 'written' },
  /** The CRM has the note, but its digest was rewritten meanwhile. */
  finishLate: { from: ['waiting', 'outdated'], to: 'outdated' },
  /** The note was deleted in the CRM. */
  lose: { from: ['outdated'], to: 'waiting' },
  refuse: { from: ['waiting', 'outdated'], to: 'failed' },
  /** The digest has expired; the CRM's note stays. */
  settle: { from: ['undecided', 'waiting', 'outdated', 'failed'], to: 'written' },
} as const satisfies Record<string, { from: readonly NoteState[]; to: NoteState }>;

export const NOTES = { name: 'notes', table: 'outbox_notes', transitions: NOTE_TRANSITIONS } as const satisfies RecordKind;
