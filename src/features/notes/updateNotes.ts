import { type Written, withTexts } from './createNotes.ts';
import { type Batch, finishNotes, giveUpRefused, type NotesDeps } from './finishNotes.ts';
import * as repo from './repo.ts';

/** Writes the notes that have changed. A note that was deleted in the CRM is created again. */
export async function updateNotes(deps: NotesDeps, batch: Batch): Promise<void> {
  const all = await withTexts(deps, batch);
  const { gone, refused } = await batch.crm.updateNotes(
    all.map(({ note, text }) => ({ ...text, id: note.noteId ?? '' })),
  );
  const idOf = ({ note }: Written) => note.noteId ?? '';
  const updated = all.filter(one => !gone.includes(idOf(one)) && !refused.has(idOf(one)));
  await finishNotes(
    deps,
    batch,
    updated.map(one => ({ id: one.note.id, noteId: idOf(one), hash: one.content.hash })),
  );
  const missing = all.filter(one => gone.includes(idOf(one)));
  await repo.resetMissing(
    deps.db,
    batch,
    missing.map(({ note }) => note.id),
  );
  for (const [failure, ofKind] of Map.groupBy(all, one => refused.get(idOf(one)))) {
    if (failure) await giveUpRefused(deps, batch, { notes: ofKind.map(({ note }) => note), failure, isUnclear: false });
  }
}
