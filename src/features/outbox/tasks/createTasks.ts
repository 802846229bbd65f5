import type { NewTask } from '../../../clients/crm/types.ts';
import { createRecords, type Draft } from '../createRecords.ts';
import { deleteHeld } from '../repo.ts';
import { type Batch, type OutboxDeps, whilePlansWait } from '../whilePlansWait.ts';
import * as repo from './repo.ts';
import { promiseUrl, taskOf } from './rules.ts';
import type { ClaimedTask } from './schema.ts';

type TaskDraft = Draft<ClaimedTask> & { text: NewTask };

/** Creates new tasks. Those that may already be in the CRM are looked up first. */
export async function createTasks(deps: OutboxDeps, batch: Batch<ClaimedTask>): Promise<void> {
  await createRecords<ClaimedTask, TaskDraft>(deps, batch, {
    ...taskFinder(deps, batch),
    draft: items => draftTasks(deps, batch, items),
    markSending: (trx, drafts) => repo.markSending(trx, batch, { state: 'waiting', sending: drafts.map(sendingOf) }),
    create: drafts => batch.crm.createTasks(drafts.map(({ text }) => text)),
    finish: (trx, written) => repo.finishWritten(trx, batch, written, deps.clock.now()),
  });
}

/** The marker of a task is the address of its promise. */
export function taskFinder({ config }: OutboxDeps, { crm }: Batch<ClaimedTask>) {
  return { markerOf: (task: ClaimedTask) => promiseUrl(task, config.appUrl), find: crm.findTasks };
}

async function draftTasks(deps: OutboxDeps, batch: Batch<ClaimedTask>, items: ClaimedTask[]): Promise<TaskDraft[]> {
  // These promises were kept, or lost their day, before the CRM ever had them.
  const isKept = ({ isDone, dueAt }: ClaimedTask) => isDone || dueAt === null;
  const kept = items.filter(isKept).map(({ id }) => id);
  if (kept.length > 0) await whilePlansWait(deps, batch, trx => deleteHeld(trx, batch.kind, batch, kept));
  const open = items.filter(item => !isKept(item));
  if (open.length === 0) return [];
  const owners = await batch.crm.readOwners([...new Set(open.map(({ contactId }) => contactId))]);
  const { appUrl } = deps.config;
  return open.map(item => ({ item, text: taskOf(item, { appUrl, ownerId: owners.get(item.contactId) ?? '' }) }));
}

function sendingOf({ item: { id, subject, dueAt } }: TaskDraft): repo.Sending {
  return { id, isCompleted: false, ...(subject !== null && { subject }), ...(dueAt && { dueAt }) };
}
