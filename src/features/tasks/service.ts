import type { CrmClient } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import type { Queue } from '../../lib/queue.ts';
import { getConnection } from '../crm/service.ts';
import { requestTasks } from '../promises/service.ts';
import * as repo from './repo.ts';

/** Seconds until the first task to do may be tried; undefined if all are done, or none can be. */
export async function secondsToNextTry(deps: { db: Db }, { userId }: { userId: string }): Promise<number | undefined> {
  const { status, portalId, tasksWrite } = await getConnection(deps, { userId });
  return status === 'active' && tasksWrite ? repo.findNextTry(deps.db, { userId, portalId }) : undefined;
}

/** Requests tasks that no process is about to write: their request was lost, or the CRM is back. */
export async function sweepTasks(deps: { db: Db; queue: Queue }): Promise<void> {
  for (const userId of await repo.listTaskOwnersOfAllUsers(deps.db)) await requestTasks(deps, { userId });
}

type Deps = { db: Db; crm: CrmClient | undefined };

/** Where a person sees the task of a promise. Throws NotFound if it has none, or is another user's. */
export async function findTaskUrl({ db, crm }: Deps, owned: { userId: string; promiseId: string }): Promise<string> {
  const task = await repo.findTask(db, owned);
  if (!task || !crm) throw new NotFound('task');
  return crm.taskUrl(task);
}
