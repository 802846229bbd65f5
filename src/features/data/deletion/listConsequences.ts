import type { Db } from '../../../lib/db.ts';
import { countTokens } from '../../assistants/tokens/service.ts';
import { listPayable } from '../../billing/service.ts';
import { getConnection } from '../../crm/service.ts';
import { listAccounts } from '../../messenger/service.ts';
import { findFeed } from '../../promises/calendar/service.ts';
import { countDigestsOfUser } from './repo.ts';

/** What a deletion of this account would end and erase. */
export type Consequences = {
  digests: number;
  messengerAccounts: number;
  hasCrm: boolean;
  hasApps: boolean;
  isPaying: boolean;
};

export async function listConsequences(deps: { db: Db }, { userId }: { userId: string }): Promise<Consequences> {
  const [accounts, digests, connection, payable, tokens, feed] = await Promise.all([
    listAccounts(deps, { userId }),
    countDigestsOfUser(deps.db, { userId }),
    getConnection(deps, { userId }),
    listPayable(deps, { userId }),
    countTokens(deps.db, { userId }),
    findFeed(deps.db, { userId }),
  ]);
  return {
    digests,
    messengerAccounts: accounts.filter(({ status }) => status === 'active').length,
    hasCrm: connection.status === 'active',
    hasApps: tokens > 0 || feed !== undefined,
    isPaying: payable.length > 0,
  };
}
