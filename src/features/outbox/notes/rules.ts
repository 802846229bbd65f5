import type { RecordKind } from '../schema.ts';
import type { NoteState } from './schema.ts';

/** A note's moves, and the states each may start from, for every statement. Unwanted ones stay so until deleted. */
export const NOTE_TRANSITIONS = {
  /** A new note: its digest is written, and the next plan decides whether it goes out, and to whom. */
  expect: { from: [], to: 'undecided' },
  /** A new note that the plan wants. */
  want: { from: [], to: 'waiting' },
  /** Its link was removed or now leads to another contact, or it may no longer be written. */
  drop: { from: ['undecided', 'waiting', 'written', 'outdated', 'failed'], to: 'unwanted' },
  /** Its digest changed, or a person decided about it, and the CRM does not have it. */
  writeAgain: { from: ['written', 'failed'], to: 'waiting' },
  /** Its digest changed, or a person decided about it, and the CRM has it. */
  outdate: { from: ['written', 'failed'], to: 'outdated' },
  finish: { from: ['waiting', 'outdated'], to: 'written' },
  /** The CRM has it, but its digest was rewritten meanwhile. */
  finishLate: { from: ['waiting', 'outdated'], to: 'outdated' },
  /** It was deleted in the CRM. */
  lose: { from: ['outdated'], to: 'waiting' },
  refuse: { from: ['waiting', 'outdated'], to: 'failed' },
  /** Its digest is no longer kept: what the CRM has stays as it is. */
  settle: { from: ['undecided', 'waiting', 'outdated', 'failed'], to: 'written' },
} as const satisfies Record<string, { from: readonly NoteState[]; to: NoteState }>;

export const NOTES = {
  name: 'notes',
  table: 'outbox_notes',
  transitions: NOTE_TRANSITIONS,
} as const satisfies RecordKind;
