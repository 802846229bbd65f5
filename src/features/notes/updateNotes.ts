import type { Crm } from '../../clients/crm/types.ts';
import type { CrmFailure } from '../../lib/failures.ts';
import { crmFailure, isCrmError } from '../crm/rules.ts';
import { type Written, withTexts } from './createNotes.ts';
import { type Batch, finishNotes, giveUpRefused, type NotesDeps } from './finishNotes.ts';
import * as repo from './repo.ts';

/** Writes the notes that have changed. A note that was deleted in the CRM is created again. */
export async function updateNotes(deps: NotesDeps, batch: Batch): Promise<void> {
  const all = await withTexts(deps, batch);
  const { gone, refused } = await updateOrHalve(batch.crm, all);
  const missing = all.filter(({ note }) => gone.has(note.noteId ?? ''));
  const updated = all.filter(one => !missing.includes(one) && !refused.some(other => other.one === one));
  await finishNotes(
    deps,
    batch,
    updated.map(({ note, content }) => ({ id: note.id, noteId: note.noteId ?? '', hash: content.hash })),
  );
  await repo.resetMissing(
    deps.db,
    batch,
    missing.map(({ note }) => note.id),
  );
  for (const [failure, ofKind] of Map.groupBy(refused, one => one.failure)) {
    await giveUpRefused(deps, batch, { notes: ofKind.map(({ one }) => one.note), failure, isUnclear: false });
  }
}

type Refused = { one: Written; failure: CrmFailure };

/** One note the CRM refuses must not keep the others from being written. */
async function updateOrHalve(crm: Crm, all: Written[]): Promise<{ gone: Set<string>; refused: Refused[] }> {
  if (all.length === 0) return { gone: new Set(), refused: [] };
  try {
    const { gone } = await crm.updateNotes(all.map(({ note, text }) => ({ ...text, id: note.noteId ?? '' })));
    return { gone: new Set(gone), refused: [] };
  } catch (err) {
    if (!isCrmError(err) || err.kind !== 'permanent') throw err;
    if (all.length === 1) return { gone: new Set(), refused: all.map(one => ({ one, failure: crmFailure(err) })) };
    const middle = Math.ceil(all.length / 2);
    const first = await updateOrHalve(crm, all.slice(0, middle));
    const second = await updateOrHalve(crm, all.slice(middle));
    return { gone: first.gone.union(second.gone), refused: [...first.refused, ...second.refused] };
  }
}
