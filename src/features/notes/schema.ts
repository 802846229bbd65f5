import { z } from 'zod';
import type { CrmFailure } from '../../lib/failures.ts';
import type { QueueDefinition } from '../../lib/queue.ts';
import { rowReader } from '../../lib/rows.ts';
import { CRM_WRITES } from '../crm/schema.ts';
import { NOTHING_YET, structuredDigest } from '../digests/schema.ts';
import type { NoteState } from '../notePlan/schema.ts';

/** Brings the notes of one user into the CRM. */
export const NOTES_QUEUE = { name: 'notes', ...CRM_WRITES } as const satisfies QueueDefinition;

/** Looks every few minutes for notes that no process is about to write. */
export const NOTES_SWEEP_QUEUE = {
  name: 'notes-sweep',
  policy: 'exclusive',
  retryLimit: 0,
} as const satisfies QueueDefinition;
export const NOTES_SWEEP_CRON = '*/5 * * * *';

export const notesPayload = z.object({ userId: z.string() });
export type NotesPayload = z.output<typeof notesPayload>;

/** Notes in these states are to be written to the CRM, or removed from it. */
export const TO_DO = ['waiting', 'outdated', 'unwanted'] as const satisfies readonly NoteState[];
export type ToDo = (typeof TO_DO)[number];

/** A note that this process works on. */
const claimed = z.object({
  id: z.string(),
  /** Null when the digest is no longer kept. */
  digestId: z.string().nullable(),
  /** Of a digest that its person deleted. */
  deletedDigestId: z.string().nullable(),
  dialogId: z.string(),
  contactId: z.string(),
  noteId: z.string().nullable(),
  /** A note was sent before, and it is unknown whether the CRM took it. */
  isUnclear: z.boolean(),
  tries: z.number(),
});
export const claimedRow = rowReader(claimed, { crm_contact_id: 'contactId', crm_note_id: 'noteId' });
export type ClaimedNote = z.output<typeof claimed>;

/** What a note is made from. */
const content = z
  .object({
    /** Of the row in crm_notes. */
    id: z.string(),
    digestId: z.string(),
    /** Changes whenever anything the note says about the digest changes. */
    hash: z.string(),
    /** YYYY-MM-DD */
    digestDate: z.string(),
    peerName: z.string(),
    /** Whose messenger account it is; may be ''. */
    userName: z.string(),
    messageCount: z.number(),
    lastMessageAt: z.date().nullable(),
    summary: z.string(),
    structured: structuredDigest.nullable().transform(said => said ?? NOTHING_YET),
    engine: z.string(),
  })
  .transform(({ engine, ...row }) => ({ ...row, isBuiltIn: engine === 'built-in' }));
export const contentRow = rowReader(content);
export type NoteContent = z.output<typeof content>;

/** Why notes could not be written. */
export type NoteFailure = { failure: CrmFailure };
