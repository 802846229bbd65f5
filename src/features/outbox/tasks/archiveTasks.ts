import { findUnclear } from '../findUnclear.ts';
import { type Batch, type OutboxDeps, whilePlansWait } from '../whilePlansWait.ts';
import { taskFinder } from './createTasks.ts';
import * as repo from './repo.ts';
import type { ClaimedTask } from './schema.ts';

/** Archives tasks, including those that may or may not be in the CRM. */
export async function archiveTasks(deps: OutboxDeps, batch: Batch<ClaimedTask>): Promise<void> {
  const found = await findUnclear(batch.items, taskFinder(deps, batch));
  const sending = batch.items.map(({ id }) => ({ id }));
  const marked = await whilePlansWait(deps, batch, trx => repo.markSending(trx, batch, { state: 'unwanted', sending }));
  const fresh = batch.items.filter(({ id }) => marked.has(id));
  await batch.crm.archiveTasks(fresh.flatMap(({ id, crmId }) => crmId ?? found.get(id) ?? []));
  const ids = fresh.map(({ id }) => id);
  await whilePlansWait(deps, batch, trx => repo.finishArchived(trx, batch, ids));
}
