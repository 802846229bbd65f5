/**
 * `undecided`: whether, and on which contact, is not known yet; `waiting`: to be written; `written`: the CRM has it as it
 * is; `outdated`: the CRM has it, the digest has changed; `unwanted`: to be taken away; `failed`: the CRM does not take it.
 */
export const NOTE_STATES = ['undecided', 'waiting', 'written', 'outdated', 'unwanted', 'failed'] as const;
export type NoteState = (typeof NOTE_STATES)[number];
