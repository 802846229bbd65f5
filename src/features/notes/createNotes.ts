import type { Refusal } from '../../clients/crm/types.ts';
import { REFUSALS } from '../crm/rules.ts';
import { type Batch, finishNotes, giveUpGone, giveUpRefused, type NotesDeps } from './finishNotes.ts';
import { type NoteText, noteOf } from './present.ts';
import * as repo from './repo.ts';
import type { ClaimedNote, NoteContent } from './schema.ts';

export type Written = { note: ClaimedNote; content: NoteContent; text: NoteText };

/** Writes new notes. Those that may already be in the CRM are looked up first. */
export async function createNotes(deps: NotesDeps, batch: Batch): Promise<void> {
  const { crm } = batch;
  const all = await withTexts(deps, batch);
  const unclear = all.filter(({ note }) => note.isUnclear);
  const found = unclear.length > 0 ? await crm.findNotes(unclear.map(toWanted)) : new Map<string, string>();
  const isFound = ({ text }: Written) => found.has(text.marker);
  await finishNotes(
    deps,
    batch,
    unclear.filter(isFound).map(one => idsOf(one, found)),
  );

  const missing = all.filter(one => !isFound(one));
  if (missing.length === 0) return;
  const sending = await repo.markSending(deps.db, batch, missing.map(hashOf));
  const fresh = missing.filter(({ note }) => sending.has(note.id));
  if (fresh.length === 0) return;
  const { created, refused } = await crm.createNotes(
    fresh.map(({ note, text }) => ({ ...text, contactId: note.contactId })),
  );
  const taken = fresh.filter(({ text }) => created.has(text.marker));
  await finishNotes(
    deps,
    batch,
    taken.map(one => ({ ...idsOf(one, created), hash: one.content.hash })),
  );
  const ofKind = (code: Refusal) =>
    fresh.filter(({ text }) => refused.get(text.marker) === code).map(({ note }) => note);
  await giveUpGone(deps, batch, ofKind('CRM_CONTACT_GONE'));
  for (const failure of REFUSALS)
    await giveUpRefused(deps, batch, { notes: ofKind(failure), failure, isUnclear: false });
}

export async function withTexts(deps: NotesDeps, batch: Batch): Promise<Written[]> {
  const contents = await repo.loadContents(deps.db, batch);
  return batch.notes.flatMap(note => {
    const content = contents.get(note.id);
    return content ? [{ note, content, text: noteOf(content, deps.config.appUrl) }] : [];
  });
}

const toWanted = ({ note, text }: Written) => ({ contactId: note.contactId, marker: text.marker });
const hashOf = ({ note, content }: Written) => ({ id: note.id, hash: content.hash });
const idsOf = ({ note, text }: Written, ids: Map<string, string>) => ({
  id: note.id,
  noteId: ids.get(text.marker) ?? '',
});
