import { type Batch, idOf, type TasksDeps } from './holdTasks.ts';
import * as repo from './repo.ts';
import { promiseUrl } from './rules.ts';
import type { ClaimedTask } from './schema.ts';

/** Archives tasks, also those that may or may not be in the CRM. */
export async function archiveTasks({ db, config }: TasksDeps, batch: Batch): Promise<void> {
  const { crm } = batch;
  const markerOf = (task: ClaimedTask) => promiseUrl(task, config.appUrl);
  const lost = batch.tasks.filter(({ taskId, isUnclear }) => taskId === null && isUnclear);
  const wanted = lost.map(task => ({ contactId: task.contactId, marker: markerOf(task) }));
  const found = wanted.length > 0 ? await crm.findTasks(wanted) : new Map<string, string>();
  const marked = await repo.markSending(db, batch, {
    state: 'unwanted',
    sending: batch.tasks.map(({ id }) => ({ id })),
  });
  const fresh = batch.tasks.filter(({ id }) => marked.has(id));
  const ids = fresh.flatMap(task => task.taskId ?? found.get(markerOf(task)) ?? []);
  await crm.archiveTasks(ids);
  await repo.finishArchived(db, batch, fresh.map(idOf));
}
