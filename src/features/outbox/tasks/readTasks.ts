import type { TaskState } from '../../../clients/crm/types.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { applyTaskChanges } from '../../promises/service.ts';
import { type Batch, type OutboxDeps, whilePlansWait } from '../whilePlansWait.ts';
import * as repo from './repo.ts';
import { type DoneThere, doneThere, momentOf } from './rules.ts';
import type { ClaimedTask } from './schema.ts';

const WORDS: Record<DoneThere, string> = { completed: 'Task completed', reopened: 'Task opened again' };

/**
 * Reads what people did to tasks in the CRM. If a task was completed or reopened there, its promise is kept or open
 * here, with that as its evidence; a deleted task stays deleted. A due date that was changed there stays as it is.
 */
export async function readTasks(deps: OutboxDeps, batch: Batch<ClaimedTask>): Promise<void> {
  const states = await batch.crm.readTasks(batch.items.flatMap(({ crmId }) => crmId ?? []));
  const read = batch.items.map(task => ({ task, seen: states.get(task.crmId ?? '') }));
  const there = read.filter((one): one is Read => one.seen !== undefined);
  const gone = read.filter(({ seen }) => seen === undefined).map(({ task }) => task.id);
  const seen = there.map(({ task: { id }, seen: { isCompleted, completedAt } }) => ({
    ...{ id, isCompleted, completion: completedAt },
  }));
  const now = deps.clock.now();
  await whilePlansWait(deps, batch, async trx => {
    for (const [done, move] of MOVES) {
      const changed = there.filter(one => doneThere(one.task, one.seen) === done);
      const evidenced = changed.map(one => ({ id: one.task.promiseId, evidence: evidenceOf(one, done, now) }));
      await applyTaskChanges(trx, { userId: batch.userId, now, move }, evidenced);
    }
    await repo.setSeen(trx, batch, seen);
    await repo.setGone(trx, batch, gone);
  });
}

type Read = { task: ClaimedTask; seen: TaskState };

const MOVES = [
  ['completed', 'complete'],
  ['reopened', 'uncomplete'],
] as const;

function evidenceOf({ seen }: Read, done: DoneThere, now: Date) {
  const when = (momentOf(seen.completedAt) ?? now).toISOString();
  return { who: CRM_NAME, when, words: WORDS[done], messageIds: [] };
}
