import { updateRecords } from '../updateRecords.ts';
import type { Batch, OutboxDeps } from '../whilePlansWait.ts';
import { draftNotes, type NoteDraft } from './createNotes.ts';
import * as repo from './repo.ts';
import type { ClaimedNote } from './schema.ts';

/** Writes the notes that have changed. A note that was deleted in the CRM is created again. */
export async function updateNotes(deps: OutboxDeps, batch: Batch<ClaimedNote>): Promise<void> {
  await updateRecords(deps, batch, {
    drafts: await draftNotes(deps, batch, batch.items),
    update: drafts => batch.crm.updateNotes(drafts.map(({ item, text }) => ({ ...text, id: item.crmId ?? '' }))),
    finish: (trx, drafts) => repo.finishWritten(trx, batch, drafts.map(writtenOf), deps.clock.now()),
    lose: (trx, ids) => repo.loseNotes(trx, batch, ids),
  });
}

const writtenOf = ({ item: { id, crmId }, content: { hash } }: NoteDraft) => ({ id, crmId: crmId ?? '', hash });
