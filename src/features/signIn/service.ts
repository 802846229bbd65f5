import { type Clock, secondsBefore } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { deleteSignInTokensBefore, deleteSignInTokensOf } from './repo.ts';

/** Used and expired ones are kept for a day, so that whoever opens such a link is told what it is. */
export const TOKENS_KEPT_DAYS = 1;

/** In one statement, so that none holds its locks for long. */
const AT_ONCE = 1000;

type Deps = { db: Db; clock: Clock };

/** Forgets links older than a day. Returns how many, `limit` at the most. */
export async function forgetOldSignInTokens({ db, clock }: Deps, { limit = AT_ONCE } = {}): Promise<number> {
  return deleteSignInTokensBefore(db, { before: secondsBefore(clock, TOKENS_KEPT_DAYS * 86_400), limit });
}

/** For an account that is deleted: its links belong to its address, not to a user. Returns how many. */
export async function forgetSignInTokensOf({ db }: { db: Db }, { email }: { email: string }): Promise<number> {
  return deleteSignInTokensOf(db, email);
}
