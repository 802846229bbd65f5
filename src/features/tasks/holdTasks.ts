import type { Crm } from '../../clients/crm/types.ts';
import type { ClientError } from '../../clients/errors.ts';
import type { Db } from '../../lib/db.ts';
import type { CrmFailure } from '../../lib/failures.ts';
import { crmFailure, isCrmError, triesAfter } from '../crm/rules.ts';
import type { CrmDeps } from '../crm/service.ts';
import { type FailureCollector, pauseAfter } from '../notes/collectFailures.ts';
import type { NoteFailure } from '../notes/schema.ts';
import { lockTasks } from '../taskPlan/repo.ts';
import * as repo from './repo.ts';
import type { ClaimedTask } from './schema.ts';

export type TasksDeps = CrmDeps & { config: { appUrl: string } };

/** One CRM account and the failures met on the way. */
export type Delivery = {
  userId: string;
  portalId: string;
  timezone: string;
  crm: Crm;
  failures: FailureCollector<NoteFailure>;
};
/** Tasks that this process has hold of. */
export type Batch = Delivery & { claim: string; tasks: ClaimedTask[] };

export type Work = (deps: TasksDeps, batch: Batch) => Promise<void>;

const EXTEND_EVERY_MS = 10_000;

/**
 * Keeps the claim for as long as the work takes, and then releases what is left of it. Throws what the work throws;
 * tasks that were being sent stay unclear: they are looked up before they are sent again.
 */
export async function holdTasks(deps: TasksDeps, batch: Batch, work: Work): Promise<void> {
  const extend = () =>
    whilePlansWait(deps, batch, trx => repo.extendClaim(trx, batch)).catch((err: unknown) =>
      deps.log.warn({ err }, 'claim on tasks not extended'),
    );
  const timer = setInterval(extend, EXTEND_EVERY_MS);
  try {
    await work(deps, batch);
    await release(deps, batch, { failure: null, pauseSeconds: 1 });
  } catch (err) {
    if (isCrmError(err)) await letGo(deps, batch, err);
    throw err;
  } finally {
    clearInterval(timer);
  }
}

async function letGo(deps: TasksDeps, batch: Batch, err: ClientError): Promise<void> {
  if (err.kind === 'permanent')
    return giveUpRefused(deps, batch, { tasks: batch.tasks, failure: crmFailure(err), mayBeThere: true });
  await release(deps, batch, { failure: crmFailure(err), pauseSeconds: pauseAfter(err) });
}

async function release(deps: TasksDeps, batch: Batch, again: Parameters<typeof repo.releaseClaim>[2]): Promise<void> {
  await whilePlansWait(deps, batch, trx => repo.releaseClaim(trx, batch, again));
}

/** No process plans the user's tasks until `work` is done: each would wait for rows that the other holds. */
export async function whilePlansWait<T>(
  { db }: { db: Db },
  { userId }: { userId: string },
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  return db.transaction(async trx => {
    await lockTasks(trx, userId);
    return work(trx);
  });
}

type Refused = {
  tasks: readonly ClaimedTask[];
  failure?: CrmFailure;
  /** The CRM may have carried out an earlier call about them. */
  mayBeThere: boolean;
};

export async function giveUpRefused(
  deps: TasksDeps,
  batch: Batch,
  { tasks, failure = 'CRM_REFUSED', mayBeThere }: Refused,
): Promise<void> {
  if (tasks.length === 0) return;
  batch.failures.add(
    { failure },
    tasks.map(({ dialogId }) => dialogId),
  );
  const again = { failure, ...triesAfter(failure), mayBeThere };
  await whilePlansWait(deps, batch, trx => repo.refuse(trx, batch, { ids: tasks.map(idOf), ...again }));
}

export const idOf = ({ id }: { id: string }) => id;
