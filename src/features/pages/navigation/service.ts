import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { waitsForReview } from '../../contacts/review/rules.ts';
import { countForNavigation } from './repo.ts';

/** The numbers shown in the navigation of every page, in one statement. */
export async function countNavigation({ db, clock }: { db: Db; clock: Clock }, { userId }: { userId: string }) {
  const { due, open, candidates } = await countForNavigation(db, { userId, now: clock.now() });
  return { due, open, toReview: candidates.filter(waitsForReview).length };
}
