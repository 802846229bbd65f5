import { z } from 'zod';
import type { QueueDefinition } from '../../lib/queue.ts';
import { NOTHING_YET, structuredDigest } from '../digests/schema.ts';

/**
 * Brings the notes of one user into the CRM. At most one waits while one is at work, so that what is asked for in the
 * last moment of a job is not lost. What the CRM would not take yet is tried again, more and more seldom.
 */
export const NOTES_QUEUE = {
  name: 'notes',
  policy: 'short',
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 3600,
  retryLimit: 1000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
} as const satisfies QueueDefinition;

/** Looks every few minutes for notes that nobody is about to write. */
export const NOTES_SWEEP_QUEUE = {
  name: 'notes-sweep',
  policy: 'exclusive',
  retryLimit: 0,
} as const satisfies QueueDefinition;
export const NOTES_SWEEP_CRON = '*/5 * * * *';

export const notesPayload = z.object({ userId: z.string() });
export type NotesPayload = z.output<typeof notesPayload>;

/**
 * `undecided`: whether, and on which contact, is not known yet; `waiting`: to be written; `written`: the CRM has it as it is; `outdated`: the CRM has it, the digest has changed;
 * `unwanted`: to be taken away; `failed`: the CRM does not take it.
 */
export const NOTE_STATES = ['undecided', 'waiting', 'written', 'outdated', 'unwanted', 'failed'] as const;
export type NoteState = (typeof NOTE_STATES)[number];

/** A note that this process works on. */
export type ClaimedNote = {
  id: string;
  /** Null when the digest is no longer kept. */
  digestId: string | null;
  dialogId: string;
  contactId: string;
  noteId: string | null;
  /** A note was sent before and nobody knows whether the CRM took it. */
  isUnclear: boolean;
  tries: number;
};

export const claimedRow = z
  .object({
    id: z.string(),
    digest_id: z.string().nullable(),
    dialog_id: z.string(),
    crm_contact_id: z.string(),
    crm_note_id: z.string().nullable(),
    is_unclear: z.boolean(),
    tries: z.number(),
  })
  .transform(
    (row): ClaimedNote => ({
      id: row.id,
      digestId: row.digest_id,
      dialogId: row.dialog_id,
      contactId: row.crm_contact_id,
      noteId: row.crm_note_id,
      isUnclear: row.is_unclear,
      tries: row.tries,
    }),
  );

/** What a note is made from. */
export type NoteContent = {
  /** Of the row in crm_notes. */
  id: string;
  digestId: string;
  /** Changes with anything the note says about the digest. */
  hash: string;
  /** YYYY-MM-DD */
  digestDate: string;
  peerName: string;
  /** Whose messenger account it is; may be ''. */
  userName: string;
  messageCount: number;
  lastMessageAt: Date | null;
  summary: string;
  structured: z.output<typeof structuredDigest>;
  isBuiltIn: boolean;
};

export const contentRow = z
  .object({
    id: z.string(),
    digest_id: z.string(),
    hash: z.string(),
    digest_date: z.string(),
    peer_name: z.string(),
    user_name: z.string(),
    message_count: z.number(),
    last_message_at: z.date().nullable(),
    summary: z.string(),
    structured: structuredDigest.nullable(),
    engine: z.string(),
  })
  .transform(
    (row): NoteContent => ({
      id: row.id,
      digestId: row.digest_id,
      hash: row.hash,
      digestDate: row.digest_date,
      peerName: row.peer_name,
      userName: row.user_name,
      messageCount: row.message_count,
      lastMessageAt: row.last_message_at,
      summary: row.summary,
      structured: row.structured ?? NOTHING_YET,
      isBuiltIn: row.engine === 'built-in',
    }),
  );

/** Why notes could not be written, once for each kind of trouble. */
export type NoteTrouble = {
  code: 'CRM_AUTH' | 'CRM_RATE_LIMIT' | 'CRM_UNAVAILABLE' | 'TIMEOUT' | 'CRM_CONTACT_GONE' | 'CRM_REFUSED';
  dialogIds: string[];
};
