import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { JobHandler } from '../../../lib/queue.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { countTokens } from '../../assistants/tokens/repo.ts';
import { deleteAlertsAbout } from '../../base/alerts/service.ts';
import { listPayable } from '../../billing/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { findFeed } from '../../promises/calendar/service.ts';
import * as repo from './repo.ts';

/**
 * Removes what still names users who are gone: a worker that was in the middle of something may have written it a
 * moment after the deletion. Its job carries no user id, so it leaves no trace itself.
 */
export async function sweepOrphans(deps: { db: Db }): Promise<void> {
  await repo.deleteJobsOfGoneUsers(deps.db);
  for (const userId of await repo.listGoneUsersInAlerts(deps.db)) await deleteAlertsAbout(deps.db, { userId });
}

/**
 * A job that fails because its user was deleted meanwhile is done: it is not retried or reported.
 * Everything that belongs to a user refuses to be written without one.
 */
export function skipDeletedUsers(deps: { db: Db; log: Log }, handle: JobHandler): JobHandler {
  return async job => {
    try {
      await handle(job);
    } catch (err) {
      const userId = userOf(job.data);
      if (userId === undefined || (await repo.doesUserExist(deps.db, { userId }))) throw err;
      deps.log.info({ err }, 'job left: its user is gone');
    }
  };
}

function userOf(data: unknown): string | undefined {
  const userId = typeof data === 'object' && data !== null && 'userId' in data ? data.userId : undefined;
  return typeof userId === 'string' && isUuid(userId) ? userId : undefined;
}

/** What a deletion of this account would end and erase. */
export type AccountConsequences = {
  digests: number;
  messengerAccounts: number;
  hasCrm: boolean;
  hasApps: boolean;
  isPaying: boolean;
};

export async function listConsequences(deps: { db: Db }, { userId }: { userId: string }): Promise<AccountConsequences> {
  const [accounts, digests, connection, payable, tokens, feed] = await Promise.all([
    listAccounts(deps.db, userId),
    repo.countDigestsOfUser(deps.db, { userId }),
    getConnection(deps.db, userId),
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
