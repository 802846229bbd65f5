import { type Batch, idOf, type TasksDeps, whilePlansWait } from './holdTasks.ts';
import * as repo from './repo.ts';
import { promiseUrl } from './rules.ts';
import type { ClaimedTask } from './schema.ts';

/** Archives tasks, including those that may or may not be in the CRM. */
export async function archiveTasks(deps: TasksDeps, batch: Batch): Promise<void> {
  const { crm } = batch;
  const markerOf = (task: ClaimedTask) => promiseUrl(task, deps.config.appUrl);
  const lost = batch.tasks.filter(({ taskId, isUnclear }) => taskId === null && isUnclear);
  const wanted = lost.map(task => ({ contactId: task.contactId, marker: markerOf(task) }));
  const found = wanted.length > 0 ? await crm.findTasks(wanted) : new Map<string, string>();
  const sending = batch.tasks.map(({ id }) => ({ id }));
  const marked = await whilePlansWait(deps, batch, trx => repo.markSending(trx, batch, { state: 'unwanted', sending }));
  const fresh = batch.tasks.filter(({ id }) => marked.has(id));
  const ids = fresh.flatMap(task => task.taskId ?? found.get(markerOf(task)) ?? []);
  await crm.archiveTasks(ids);
  await whilePlansWait(deps, batch, trx => repo.finishArchived(trx, batch, fresh.map(idOf)));
}
