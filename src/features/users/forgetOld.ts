import { type Clock, secondsBefore } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { deleteSessionsExpiredBefore, deleteSignInTokensBefore, deleteSignInTokensOf } from './signInTokenRepo.ts';

/** Used and expired ones are kept for a day, so that whoever opens such a link is told what it is. */
const TOKENS_KEPT_SECONDS = 24 * 3600;

type Deps = { db: Db; clock: Clock };

/** Forgets links older than a day. Returns how many. */
export async function forgetOldSignInTokens({ db, clock }: Deps): Promise<number> {
  return deleteSignInTokensBefore(db, secondsBefore(clock, TOKENS_KEPT_SECONDS));
}

/** Forgets sessions that are over. Returns how many. */
export async function forgetOldSessions({ db, clock }: Deps): Promise<number> {
  return deleteSessionsExpiredBefore(db, clock.now());
}

/** For an account that is deleted: its links belong to its address, not to a user. Returns how many. */
export async function forgetSignInTokensOf({ db }: { db: Db }, { email }: { email: string }): Promise<number> {
  return deleteSignInTokensOf(db, email);
}
