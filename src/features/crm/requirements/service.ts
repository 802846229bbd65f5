import type { RequirementBook } from '../../../clients/crm/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import * as repo from './repo.ts';

/** What one user's CRM account requires; the CRM client reads it and adds to it. */
export function openBook({ db, clock }: { db: Db; clock: Clock }, account: repo.Account): RequirementBook {
  return {
    list: type => repo.listRequirementsOf(db, account, type),
    learn: (type, properties) => repo.insertRequirements(db, account, { type, properties, now: clock.now() }),
    release: (type, sent) => repo.releaseRequirements(db, account, { type, sent }),
  };
}
