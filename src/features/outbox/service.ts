import type { Crm, Refusal } from '../../clients/crm/types.ts';
import type { ClientError } from '../../clients/errors.ts';
import type { Db } from '../../lib/db.ts';
import type { CrmFailure } from '../../lib/failures.ts';
import { saveProblems } from '../contacts/matching/matchConversations.ts';
import { getConnection } from '../crm/repo.ts';
import { triesAfter } from '../crm/rules.ts';
import type { CrmConnection } from '../crm/schema.ts';
import type { CrmDeps } from '../crm/service.ts';
import * as repo from './repo.ts';
import type { Held, Kind, OutboxFailure } from './schema.ts';

export { lockPlan } from './repo.ts';

/** Collects failures, each kind once, with the conversations that it concerns. */
export type FailureCollector<Kind> = {
  add(kind: Kind, dialogIds?: readonly string[]): void;
  list(): (Kind & { dialogIds: string[] })[];
};

export function collectFailures<Kind extends object>(): FailureCollector<Kind> {
  const kinds = new Map<string, Kind & { dialogIds: string[] }>();
  return {
    add(kind, dialogIds = []) {
      const key = JSON.stringify(kind);
      const known = kinds.get(key)?.dialogIds ?? [];
      kinds.set(key, { ...kind, dialogIds: [...new Set([...known, ...dialogIds])] });
    },
    list: () => [...kinds.values()],
  };
}

export type OutboxDeps = CrmDeps & { config: { appUrl: string } };

/** One CRM account, and the failures met on the way. */
export type Delivery = {
  userId: string;
  portalId: string;
  kind: Kind;
  crm: Crm;
  failures: FailureCollector<OutboxFailure>;
};
/** Records that this process has hold of. */
export type Batch<One extends Held> = Delivery & { claim: string; items: One[] };

/** No process plans the user's records of this kind until `work` is done. */
export async function whilePlansWait<T>(
  { db }: { db: Db },
  { kind, userId }: Pick<Delivery, 'kind' | 'userId'>,
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  return db.transaction(async trx => {
    await repo.lockPlan(trx, kind, userId);
    return work(trx);
  });
}

type Refused<One> = {
  items: readonly One[];
  failure: CrmFailure;
  /** The CRM may have carried out an earlier call about them. */
  mayBeThere: boolean;
};

/** The CRM did not accept these: they are tried again later, or no more. */
export async function giveUp<One extends Held>(
  deps: OutboxDeps,
  batch: Batch<One>,
  { items, failure, mayBeThere }: Refused<One>,
): Promise<void> {
  if (items.length === 0) return;
  const isGone = failure === 'CRM_CONTACT_GONE';
  const again = isGone ? { tries: 1, pauseSeconds: 0 } : triesAfter(failure);
  const refusal = { ids: items.map(({ id }) => id), failure, mayBeThere, ...again };
  batch.failures.add(
    { failure },
    items.map(({ dialogId }) => dialogId),
  );
  await whilePlansWait(deps, batch, trx => repo.refuse(trx, batch.kind, batch, refusal));
  if (!isGone) return;
  // Recorded with the match, so that nothing else is planned on this contact.
  const problems = items.map(({ dialogId, contactId }) => ({ dialogId, contactId, problem: 'CONTACT_GONE' as const }));
  await saveProblems(deps, { userId: batch.userId, problems });
}

/** The same for those that have a reason. */
export async function giveUpRefused<One extends Held>(
  deps: OutboxDeps,
  batch: Batch<One>,
  { reasonOf, mayBeThere }: { reasonOf: (item: One) => Refusal | undefined; mayBeThere: boolean },
): Promise<void> {
  for (const [failure, items] of Map.groupBy(batch.items, reasonOf)) {
    if (failure) await giveUp(deps, batch, { items, failure, mayBeThere });
  }
}

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

/** Whether records of this kind can be written now. */
export function mayWrite({ writtenIf }: Kind, connection: Pick<CrmConnection, 'status' | 'tasksWrite'>): boolean {
  return connection.status === 'active' && (writtenIf === undefined || connection[writtenIf]);
}

/** Seconds before the next try. A call that may still come through late is given time to do so. */
export function pauseAfter(err: ClientError): number {
  if (err.kind === 'rateLimited') return err.retryAfterSeconds ?? 10;
  if (err.kind === 'temporary') return 5;
  return err.kind === 'auth' ? 1 : 60;
}
