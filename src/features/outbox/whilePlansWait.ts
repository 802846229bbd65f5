import type { Crm } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import type { CrmDeps } from '../crm/service.ts';
import type { FailureCollector } from './collectFailures.ts';
import { lockPlan } from './repo.ts';
import type { Kind } from './rules.ts';
import type { Held, OutboxFailure } from './schema.ts';

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
    await lockPlan(trx, kind, userId);
    return work(trx);
  });
}
