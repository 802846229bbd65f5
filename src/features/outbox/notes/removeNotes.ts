import { forgetContacts } from '../contactProperties/updateContacts.ts';
import { findUnclear } from '../findUnclear.ts';
import { deleteHeld } from '../repo.ts';
import { type Batch, type OutboxDeps, whilePlansWait } from '../whilePlansWait.ts';
import { noteFinder } from './createNotes.ts';
import type { ClaimedNote } from './schema.ts';

/** Removes notes, including those that may or may not be in the CRM. */
export async function removeNotes(deps: OutboxDeps, batch: Batch<ClaimedNote>): Promise<void> {
  const found = await findUnclear(batch.items, noteFinder(deps, batch));
  await batch.crm.archiveNotes(batch.items.flatMap(({ id, crmId }) => crmId ?? found.get(id) ?? []));
  await forgetContacts(deps, batch);
  const ids = batch.items.map(({ id }) => id);
  await whilePlansWait(deps, batch, trx => deleteHeld(trx, batch.kind, batch, ids));
}
