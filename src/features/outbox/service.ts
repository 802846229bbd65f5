import type { Db } from '../../lib/db.ts';
import { getConnection } from '../crm/repo.ts';
import * as repo from './repo.ts';
import { type Kind, mayWrite } from './rules.ts';

export { lockPlan } from './repo.ts';

type Owner = { userId: string };

/** Seconds until the first record to do may be tried; undefined if all are done, or none can be. */
export async function secondsToNextTry(
  deps: { db: Db },
  kind: Kind,
  { userId }: Owner,
  which?: repo.Which,
): Promise<number | undefined> {
  const connection = await getConnection(deps.db, userId);
  if (!mayWrite(kind, connection)) return undefined;
  return repo.findNextTry(deps.db, kind, { userId, portalId: connection.portalId }, which);
}

/** For a job: the queue retries what is left, less and less often. */
export class OutboxWaits extends Error {}

/** Requests records that no process is about to write: their request was lost, or the CRM is back. */
export async function sweepOutbox(
  deps: { db: Db },
  kind: Kind,
  request: (owner: Owner) => Promise<void>,
): Promise<void> {
  for (const userId of await repo.listOwnersOfAllUsers(deps.db, kind)) await request({ userId });
}
