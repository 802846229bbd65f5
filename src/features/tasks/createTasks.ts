import type { Refusal } from '../../clients/crm/types.ts';
import { REFUSALS } from '../crm/rules.ts';
import { saveProblems } from '../matching/saveVerdicts.ts';
import { type Batch, giveUpRefused, idOf, type TasksDeps, whilePlansWait } from './holdTasks.ts';
import * as repo from './repo.ts';
import { promiseUrl, taskOf } from './rules.ts';
import type { ClaimedTask } from './schema.ts';

/** Creates new tasks. Those that may already be in the CRM are looked up first. */
export async function createTasks(deps: TasksDeps, batch: Batch): Promise<void> {
  const missing = await finishFound(deps, batch);
  // These promises were kept, or lost their day, before the CRM ever had them.
  const kept = missing.filter(({ isDone, dueAt }) => isDone || dueAt === null);
  if (kept.length > 0) await whilePlansWait(deps, batch, trx => repo.deleteUnsent(trx, batch, kept.map(idOf)));
  const open = missing.filter(task => !kept.includes(task));
  if (open.length > 0) await sendNew(deps, batch, open);
}

/** Returns those that the CRM does not have. */
async function finishFound(deps: TasksDeps, batch: Batch): Promise<ClaimedTask[]> {
  const unclear = batch.tasks.filter(({ isUnclear }) => isUnclear);
  if (unclear.length === 0) return batch.tasks;
  const markerOf = (task: ClaimedTask) => promiseUrl(task, deps.config.appUrl);
  const found = await batch.crm.findTasks(unclear.map(task => ({ contactId: task.contactId, marker: markerOf(task) })));
  const there = unclear.filter(task => found.has(markerOf(task)));
  const written = there.map(task => ({ id: task.id, taskId: found.get(markerOf(task)) ?? '' }));
  if (written.length > 0)
    await whilePlansWait(deps, batch, trx => repo.finishWritten(trx, batch, written, deps.clock.now()));
  return batch.tasks.filter(task => !there.includes(task));
}

async function sendNew(deps: TasksDeps, batch: Batch, open: ClaimedTask[]): Promise<void> {
  const { crm } = batch;
  const owners = await crm.readOwners([...new Set(open.map(({ contactId }) => contactId))]);
  const sending = open.map(({ id, subject, dueAt }) => ({
    ...{ id, isCompleted: false, ...(subject !== null && { subject }), ...(dueAt && { dueAt }) },
  }));
  const marked = await whilePlansWait(deps, batch, trx => repo.markSending(trx, batch, { state: 'waiting', sending }));
  const fresh = open
    .filter(({ id }) => marked.has(id))
    .map(task => {
      const ownerId = owners.get(task.contactId) ?? '';
      return { task, text: taskOf(task, { appUrl: deps.config.appUrl, ownerId }) };
    });
  if (fresh.length === 0) return;
  const { created, refused } = await crm.createTasks(fresh.map(({ text }) => text));
  const written = fresh.flatMap(({ task: { id }, text }) => {
    const taskId = created.get(text.marker);
    return taskId === undefined ? [] : [{ id, taskId }];
  });
  if (written.length > 0)
    await whilePlansWait(deps, batch, trx => repo.finishWritten(trx, batch, written, deps.clock.now()));
  const ofKind = (code: Refusal) =>
    fresh.filter(({ text }) => refused.get(text.marker) === code).map(({ task }) => task);
  await giveUpGone(deps, batch, ofKind('CRM_CONTACT_GONE'));
  for (const failure of REFUSALS)
    await giveUpRefused(deps, batch, { tasks: ofKind(failure), failure, mayBeThere: false });
}

/** The contact is gone: this is recorded with its match, so that no task is planned on it. */
async function giveUpGone(deps: TasksDeps, batch: Batch, tasks: ClaimedTask[]): Promise<void> {
  if (tasks.length === 0) return;
  const { userId, failures } = batch;
  const failure = 'CRM_CONTACT_GONE';
  failures.add(
    { failure },
    tasks.map(({ dialogId }) => dialogId),
  );
  const atOnce = { failure, tries: 1, pauseSeconds: 0, mayBeThere: false };
  await whilePlansWait(deps, batch, trx => repo.refuse(trx, batch, { ids: tasks.map(idOf), ...atOnce }));
  const problems = tasks.map(({ dialogId, contactId }) => ({ dialogId, contactId, problem: 'CONTACT_GONE' as const }));
  await saveProblems(deps, { userId, problems });
}
