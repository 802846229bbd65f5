import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { JobHandler } from '../../lib/queue.ts';
import { closePastOfAllUsers } from './repo.ts';

export function pastJob({ db, clock }: { db: Db; clock: Clock }): JobHandler {
  return () => closePastOfAllUsers(db, clock.now());
}
