import { forgetContacts } from '../contactProperties/updateContacts.ts';
import type { Batch, NotesDeps } from './finishNotes.ts';
import { digestUrl } from './present.ts';
import * as repo from './repo.ts';

/** Removes notes, including those that may or may not be in the CRM. */
export async function removeNotes(deps: NotesDeps, batch: Batch): Promise<void> {
  const { crm } = batch;
  const lost = batch.notes.filter(({ noteId, isUnclear }) => noteId === null && isUnclear);
  const wanted = lost.flatMap(({ contactId, digestId, deletedDigestId }) => {
    const id = digestId ?? deletedDigestId;
    return id === null ? [] : [{ contactId, marker: digestUrl(id, deps.config.appUrl) }];
  });
  const found = wanted.length > 0 ? await crm.findNotes(wanted) : new Map<string, string>();
  const known = batch.notes.flatMap(({ noteId }) => (noteId === null ? [] : [noteId]));
  const ids = [...known, ...found.values()];
  if (ids.length > 0) await crm.archiveNotes(ids);
  await forgetContacts(deps, batch);
  await repo.deleteRemoved(
    deps.db,
    batch,
    batch.notes.map(({ id }) => id),
  );
}
