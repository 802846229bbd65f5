import type { TaskChange } from '../../../clients/crm/types.ts';
import { updateRecords } from '../updateRecords.ts';
import type { Batch, OutboxDeps } from '../whilePlansWait.ts';
import * as repo from './repo.ts';
import { changeOf } from './rules.ts';
import type { ClaimedTask } from './schema.ts';

type TaskDraft = { item: ClaimedTask; change: TaskChange };

/** Writes what has changed. A task that a person deleted in the CRM is not created again. */
export async function updateTasks(deps: OutboxDeps, batch: Batch<ClaimedTask>): Promise<void> {
  await updateRecords<ClaimedTask, TaskDraft>(deps, batch, {
    drafts: batch.items.map(item => ({ item, change: changeOf(item) })),
    markSending: (trx, drafts) => repo.markSending(trx, batch, { state: 'outdated', sending: drafts.map(sendingOf) }),
    update: drafts =>
      batch.crm.updateTasks(drafts.map(({ change }) => change).filter(change => Object.keys(change).length > 1)),
    finish: (trx, drafts) => repo.finishWritten(trx, batch, drafts.map(writtenOf), deps.clock.now()),
    lose: (trx, ids) => repo.setGone(trx, batch, ids),
  });
}

const writtenOf = ({ item: { id }, change }: TaskDraft) => ({ id, crmId: change.id });

function sendingOf({ item: { id, subject }, change }: TaskDraft): repo.Sending {
  return {
    ...{ id, ...(change.subject !== undefined && subject !== null && { subject }) },
    ...(change.dueAt && { dueAt: change.dueAt }),
    ...(change.isCompleted !== undefined && { isCompleted: change.isCompleted }),
  };
}
