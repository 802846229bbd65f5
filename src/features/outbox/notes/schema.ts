import { z } from 'zod';
import { structuredDigest } from '../../../clients/summarizer/types.ts';
import { rowReader } from '../../../lib/db.ts';
import type { QueueDefinition } from '../../../lib/queue.ts';
import { CRM_WRITES } from '../../crm/schema.ts';
import { EMPTY_CONTENT } from '../../digests/schema.ts';
import { knownNameOf } from '../../messenger/dialogs/rules.ts';
import { claimedRecord } from '../schema.ts';

/**
 * `undecided`: unknown yet whether, and to which contact, it goes; `waiting`: to be written; `written`: the CRM has it
 * as it is; `outdated`: its digest has changed since; `unwanted`: to be removed; `failed`: the CRM does not accept it.
 */
export const NOTE_STATES = ['undecided', 'waiting', 'written', 'outdated', 'unwanted', 'failed'] as const;
export type NoteState = (typeof NOTE_STATES)[number];

/** Brings the notes of one user into the CRM. */
export const NOTES_QUEUE = { name: 'notes', ...CRM_WRITES } as const satisfies QueueDefinition;

/** A note claimed by this process. */
const claimed = claimedRecord.extend({
  /** Null when the digest is no longer kept. */
  digestId: z.string().nullable(),
  deletedDigestId: z.string().nullable(),
});
export const claimedRow = rowReader(claimed, { crm_contact_id: 'contactId' });
export type ClaimedNote = z.output<typeof claimed>;

/** The data that a note is made from. */
const content = z
  .object({
    /** The id of the row in outbox_notes. */
    id: z.string(),
    digestId: z.string(),
    /** Changes whenever anything the note says about the digest changes. */
    hash: z.string(),
    /** YYYY-MM-DD */
    digestDate: z.string(),
    peerName: z.string(),
    peerUsername: z.string(),
    peerPhone: z.string(),
    /** The name of the messenger account's owner; may be ''. */
    userName: z.string(),
    messageCount: z.number(),
    lastMessageAt: z.date().nullable(),
    summary: z.string(),
    structured: structuredDigest.nullable().transform(said => said ?? EMPTY_CONTENT),
    engine: z.string(),
  })
  .transform(({ engine, peerName, peerUsername, peerPhone, ...row }) => ({
    ...row,
    /** May be ''. */
    peerName: knownNameOf({ peerName, peerUsername, peerPhone }),
    isBuiltIn: engine === 'built-in',
  }));
export const contentRow = rowReader(content);
export type NoteContent = z.output<typeof content>;
