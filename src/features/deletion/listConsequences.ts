import type { Db } from '../../lib/db.ts';
import { listPayable } from '../billing/cancelSubscriptions.ts';
import { getConnection } from '../crm/service.ts';
import { listAccounts } from '../messenger/service.ts';
import { countDigestsOfUser } from './repo.ts';

/** What a deletion of this account would end and erase. */
export type Consequences = { digests: number; messengerAccounts: number; hasCrm: boolean; isPaying: boolean };

export async function listConsequences(deps: { db: Db }, { userId }: { userId: string }): Promise<Consequences> {
  const [accounts, digests, connection, payable] = await Promise.all([
    listAccounts(deps, { userId }),
    countDigestsOfUser(deps.db, { userId }),
    getConnection(deps, { userId }),
    listPayable(deps, { userId }),
  ]);
  return {
    digests,
    messengerAccounts: accounts.filter(({ status }) => status === 'active').length,
    hasCrm: connection.status === 'active',
    isPaying: payable.length > 0,
  };
}
