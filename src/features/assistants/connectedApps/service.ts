import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { getSettings } from '../../base/settings/service.ts';
import type { Feed } from '../../promises/calendar/schema.ts';
import { findFeed } from '../../promises/calendar/service.ts';
import { countHeld } from '../repo.ts';
import type { Uses } from '../tokens/createUses.ts';
import { listTokens } from '../tokens/repo.ts';
import type { Token } from '../tokens/schema.ts';
import { findLastCall, type LastCall } from './repo.ts';

export type Apps = {
  now: Date;
  timezone: string;
  tokens: Token[];
  reading: Reading;
  feed: Feed | undefined;
  lastCall: LastCall | undefined;
};

/** What each token of an assistant may read, by its id. */
type Reading = Awaited<ReturnType<typeof countHeld>>;

type Deps = { db: Db; clock: Clock; uses: Uses };

/** Everything through which other programs get in, as the page shows it. */
export async function getApps({ db, clock, uses }: Deps, owner: { userId: string }): Promise<Apps> {
  await uses.store();
  const [{ timezone }, tokens, reading, feed, lastCall] = await Promise.all([
    getSettings({ db }, owner),
    listTokens(db, owner),
    countHeld(db, owner),
    findFeed(db, owner),
    findLastCall(db, owner),
  ]);
  return { now: clock.now(), timezone, tokens, reading, feed, lastCall };
}
