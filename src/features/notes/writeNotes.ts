import type { Crm } from '../../clients/crm/types.ts';
import { type Batch, claimOf, type Delivery, finish, giveUpGone, giveUpRefused, type NotesDeps } from './outcomes.ts';
import * as repo from './repo.ts';
import { digestUrl, type NoteText, noteOf } from './rules.ts';
import type { ClaimedNote, NoteContent } from './schema.ts';
import { forgetContacts } from './tellContacts.ts';
import { isOfCrm } from './troubles.ts';

type Written = { note: ClaimedNote; content: NoteContent; text: NoteText };

/** Writes new notes. Those of which nobody knows whether the CRM has them are looked for first. */
export async function createNotes(deps: NotesDeps, delivery: Delivery, batch: Batch): Promise<void> {
  const { crm } = delivery;
  const all = await withTexts(deps, delivery, batch);
  const unclear = all.filter(({ note }) => note.isUnclear);
  const found = unclear.length > 0 ? await crm.findNotes(unclear.map(toWanted)) : new Map<string, string>();
  const isFound = ({ text }: Written) => found.has(text.marker);
  await finish(
    deps,
    delivery,
    batch,
    unclear.filter(isFound).map(one => idsOf(one, found)),
  );

  const missing = all.filter(one => !isFound(one));
  if (missing.length === 0) return;
  const sending = await repo.markSending(deps.db, claimOf(delivery, batch), missing.map(hashOf));
  const fresh = missing.filter(({ note }) => sending.has(note.id));
  if (fresh.length === 0) return;
  const { created, refused } = await crm.createNotes(
    fresh.map(({ note, text }) => ({ ...text, contactId: note.contactId })),
  );
  const taken = fresh.filter(({ text }) => created.has(text.marker));
  await finish(
    deps,
    delivery,
    batch,
    taken.map(one => ({ ...idsOf(one, created), hash: one.content.hash })),
  );
  const ofKind = (code: string) =>
    fresh.filter(({ text }) => refused.get(text.marker) === code).map(({ note }) => note);
  await giveUpGone(deps, delivery, batch, ofKind('CRM_CONTACT_GONE'));
  await giveUpRefused(deps, delivery, batch, { notes: ofKind('CRM_REFUSED'), isUnclear: false });
}

/** Writes what has changed. A note that was deleted in the CRM is written anew. */
export async function updateNotes(deps: NotesDeps, delivery: Delivery, batch: Batch): Promise<void> {
  const all = await withTexts(deps, delivery, batch);
  const { gone, refused } = await updateOrHalve(delivery.crm, all);
  const missing = all.filter(({ note }) => gone.has(note.noteId ?? ''));
  const updated = all.filter(one => !missing.includes(one) && !refused.includes(one));
  await finish(
    deps,
    delivery,
    batch,
    updated.map(({ note, content }) => ({ id: note.id, noteId: note.noteId ?? '', hash: content.hash })),
  );
  await repo.resetMissing(
    deps.db,
    claimOf(delivery, batch),
    missing.map(({ note }) => note.id),
  );
  await giveUpRefused(deps, delivery, batch, { notes: refused.map(({ note }) => note), isUnclear: false });
}

/** One note the CRM refuses must not keep the others from being written. */
async function updateOrHalve(crm: Crm, all: Written[]): Promise<{ gone: Set<string>; refused: Written[] }> {
  if (all.length === 0) return { gone: new Set(), refused: [] };
  try {
    const { gone } = await crm.updateNotes(all.map(({ note, text }) => ({ ...text, id: note.noteId ?? '' })));
    return { gone: new Set(gone), refused: [] };
  } catch (err) {
    if (!isOfCrm(err) || err.kind !== 'permanent') throw err;
    if (all.length === 1) return { gone: new Set(), refused: all };
    const middle = Math.ceil(all.length / 2);
    const first = await updateOrHalve(crm, all.slice(0, middle));
    const second = await updateOrHalve(crm, all.slice(middle));
    return { gone: first.gone.union(second.gone), refused: [...first.refused, ...second.refused] };
  }
}

/** Takes notes away, also those of which nobody knows whether the CRM has them. */
export async function removeNotes(deps: NotesDeps, delivery: Delivery, batch: Batch): Promise<void> {
  const { crm } = delivery;
  const lost = batch.notes.filter(({ noteId, isUnclear }) => noteId === null && isUnclear);
  const wanted = lost.map(({ contactId, digestId }) => ({
    contactId,
    marker: digestUrl(digestId ?? '', deps.config.appUrl),
  }));
  const found = wanted.length > 0 ? await crm.findNotes(wanted) : new Map<string, string>();
  const known = batch.notes.flatMap(({ noteId }) => (noteId === null ? [] : [noteId]));
  const ids = [...known, ...found.values()];
  if (ids.length > 0) await crm.archiveNotes(ids);
  await forgetContacts(deps, delivery, batch);
  await repo.deleteRemoved(
    deps.db,
    claimOf(delivery, batch),
    batch.notes.map(({ id }) => id),
  );
}

async function withTexts(deps: NotesDeps, delivery: Delivery, batch: Batch): Promise<Written[]> {
  const contents = await repo.loadContents(deps.db, claimOf(delivery, batch));
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
