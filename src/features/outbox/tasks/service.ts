import type { CrmClient } from '../../../clients/crm/types.ts';
import type { Db } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import * as repo from './repo.ts';

export { dropOfPromises } from './repo.ts';

type Deps = { db: Db; crm: CrmClient | undefined };

/** Where a person sees the task of a promise. Throws NotFound if it has none, or is another user's. */
export async function findTaskUrl({ db, crm }: Deps, owned: { userId: string; promiseId: string }): Promise<string> {
  const task = await repo.findTask(db, owned);
  if (!task || !crm) throw new NotFound('task');
  return crm.taskUrl(task);
}
