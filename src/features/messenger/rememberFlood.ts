import { ClientError } from '../../clients/errors.ts';
import { type Clock, secondsAfter } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { type Owned, setFloodUntil } from './repo.ts';
import type { MessengerAccount } from './schema.ts';

/** Used if the messenger doesn't say how long. */
const UNKNOWN_WAIT_SECONDS = 300;

type Flooded = Pick<MessengerAccount, 'floodUntil'>;

/** Seconds until the messenger accepts calls for this account again; 0 if it does now. */
export function floodSeconds(clock: Clock, { floodUntil }: Flooded): number {
  return floodUntil ? Math.max(0, (floodUntil.getTime() - clock.now().getTime()) / 1000) : 0;
}

/** Throws `FLOOD_WAIT` while the wait lasts: asking again before it is over makes it longer. */
export function refuseDuringFlood(clock: Clock, account: Flooded): void {
  const seconds = Math.ceil(floodSeconds(clock, account));
  if (seconds === 0) return;
  throw new ClientError({ service: 'messenger', kind: 'rateLimited', code: 'FLOOD_WAIT', retryAfterSeconds: seconds });
}

/** Stores with the account, for all processes, how long the messenger wants no calls, and returns it in seconds. */
export async function rememberFlood(
  { db, clock }: { db: Db; clock: Clock },
  owned: Owned,
  { retryAfterSeconds: seconds = UNKNOWN_WAIT_SECONDS }: ClientError,
): Promise<number> {
  await setFloodUntil(db, owned, secondsAfter(clock, seconds));
  return seconds;
}
