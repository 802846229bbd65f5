/**
 * `undecided`: not known yet whether it is written, and to which contact; `waiting`: to be written; `written`: the CRM
 * has it as it is; `outdated`: the CRM has it, but the digest has changed; `unwanted`: to be removed; `failed`: the CRM
 * does not accept it.
 */
export const NOTE_STATES = ['undecided', 'waiting', 'written', 'outdated', 'unwanted', 'failed'] as const;
export type NoteState = (typeof NOTE_STATES)[number];
