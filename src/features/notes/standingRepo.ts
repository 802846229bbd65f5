import { z } from 'zod';
import type { Db } from '../../lib/db.ts';
import { rowReader } from '../../lib/rows.ts';
import { NOTE_STATES } from './schema.ts';

/** What stands in the CRM, for pages that tell of it. */

type Owned = { userId: string; portalId: string };

const standing = z.object({ count: z.coerce.number(), lastWrittenAt: z.date().nullable() });
const standingRow = rowReader(standing);
export type StandingNotes = z.output<typeof standing>;

/** Notes of one conversation that the CRM has. */
export async function countStanding(
  db: Db,
  { userId, portalId, dialogId }: Owned & { dialogId: string },
): Promise<StandingNotes> {
  const row = await db('crm_notes')
    .where({ user_id: userId, portal_id: portalId, dialog_id: dialogId })
    .whereNotNull('crm_note_id')
    .whereIn('state', ['written', 'outdated'])
    .first(db.raw('count(*) as count'), db.raw('max(written_at) as last_written_at'));
  return standingRow.parse(row);
}

const noteOfDigest = z
  .object({ digestId: z.string(), state: z.enum(NOTE_STATES), noteId: z.string().nullable(), contactId: z.string() })
  .transform(({ noteId, ...row }) => ({ ...row, isThere: noteId !== null }));
const noteRow = rowReader(noteOfDigest, { crm_note_id: 'noteId', crm_contact_id: 'contactId' });
export type NoteOfDigest = z.output<typeof noteOfDigest>;

/** What has become of the notes of one conversation's digests. By digest. */
export async function listNotesOfDigests(
  db: Db,
  { userId, portalId, dialogId }: Owned & { dialogId: string },
): Promise<Map<string, NoteOfDigest>> {
  const rows = await db('crm_notes')
    .where({ user_id: userId, portal_id: portalId, dialog_id: dialogId })
    .whereNotNull('digest_id')
    .whereNot({ state: 'unwanted' })
    .whereNot({ crm_contact_id: '' })
    .select('digest_id', 'state', 'crm_note_id', 'crm_contact_id');
  return new Map(rows.map(row => noteRow.parse(row)).map(note => [note.digestId, note]));
}

/** When a note was last written to the CRM account that was connected last; null before the first. */
export async function findLastWritten(db: Db, userId: string): Promise<Date | null> {
  const row = await db('crm_notes')
    .join('crm_connections', 'crm_connections.user_id', 'crm_notes.user_id')
    .where({ 'crm_notes.user_id': userId })
    .whereNotNull('written_at')
    .whereRaw('crm_connections.portal_id = crm_notes.portal_id')
    .orderBy('written_at', 'desc')
    .first<{ written_at: Date } | undefined>('written_at');
  return row?.written_at ?? null;
}
