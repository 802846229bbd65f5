import { type Batch, giveUpRefused, idOf, type TasksDeps, whilePlansWait } from './holdTasks.ts';
import * as repo from './repo.ts';
import { changeOf } from './rules.ts';

/** Writes what has changed. A task that a person deleted in the CRM is not created again. */
export async function updateTasks(deps: TasksDeps, batch: Batch): Promise<void> {
  const all = batch.tasks.map(task => ({ task, change: changeOf(task) }));
  const sending = all.map(({ task: { id, subject }, change }) => ({
    ...{ id, ...(change.subject !== undefined && subject !== null && { subject }) },
    ...(change.dueAt && { dueAt: change.dueAt }),
    ...(change.isCompleted !== undefined && { isCompleted: change.isCompleted }),
  }));
  const marked = await whilePlansWait(deps, batch, trx => repo.markSending(trx, batch, { state: 'outdated', sending }));
  const fresh = all.filter(({ task }) => marked.has(task.id));
  const changes = fresh.map(({ change }) => change).filter(change => Object.keys(change).length > 1);
  const outcome = await batch.crm.updateTasks(changes);
  const { refused } = outcome;
  const gone = new Set(outcome.gone);
  const isIn = (ids: { has(id: string): boolean }) =>
    fresh.filter(({ change }) => ids.has(change.id)).map(({ task }) => task);
  const written = fresh
    .filter(({ change: { id } }) => !gone.has(id) && !refused.has(id))
    .map(({ task, change }) => ({ id: task.id, taskId: change.id }));
  if (written.length > 0)
    await whilePlansWait(deps, batch, trx => repo.finishWritten(trx, batch, written, deps.clock.now()));
  if (gone.size > 0) await whilePlansWait(deps, batch, trx => repo.setGone(trx, batch, isIn(gone).map(idOf)));
  for (const [failure, tasks] of Map.groupBy(isIn(refused), ({ taskId }) => refused.get(taskId ?? ''))) {
    await giveUpRefused(deps, batch, { tasks, ...(failure && { failure }), mayBeThere: true });
  }
}
