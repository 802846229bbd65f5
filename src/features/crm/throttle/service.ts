import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../../clients/errors.ts';
import type { Db } from '../../../lib/db.ts';
import { holdOff, type Line, type Pace, reserveSearch, reserveTurn, waitForSearch, waitOf } from './repo.ts';

export { deleteThrottlesBefore } from './repo.ts';

/**
 * What the CRM allows one account, with room to spare: 110 calls other than searches in any 10 seconds (20 at once,
 * then one every 112 ms). https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
 */
const CALLS: Pace = { everyMs: 112, burstMs: 19 * 112 };

/**
 * The CRM counts a search when it arrives, and allows 5 in any second: at most 3 are sent in 1.2 seconds, so that fewer
 * than 4 arrive within a second even when some take 200 ms longer to arrive than others.
 */
const SEARCHES = { most: 3, windowMs: 1200 };

/** A longer wait is an error instead. */
const PATIENCE_MS = 60_000;
/** A process that was busy and missed its turn by more than this takes another one. */
const LATE_MS = 50;
const MOST_TURNS = 4;

/** Waits for a turn among all processes that call this account. Throws ClientError `CRM_RATE_LIMIT` beyond a minute. */
export async function takeTurn(deps: { db: Db }, line: Line): Promise<void> {
  for (let turns = 1; ; turns += 1) {
    const wait = await reserve(deps.db, line);
    if (wait === undefined) throw await tooLong(deps.db, line);
    const due = performance.now() + wait;
    if (wait > 0) await sleep(wait);
    if (line.kind === 'call' || performance.now() - due < LATE_MS || turns === MOST_TURNS) return;
  }
}

async function reserve(db: Db, line: Line): Promise<number | undefined> {
  const within = { patienceMs: PATIENCE_MS };
  if (line.kind === 'search') return reserveSearch(db, line, { ...SEARCHES, ...within });
  return reserveTurn(db, line, { ...CALLS, ...within });
}

async function tooLong(db: Db, line: Line): Promise<ClientError> {
  const wait = line.kind === 'search' ? await waitForSearch(db, line, SEARCHES) : await waitOf(db, line, CALLS);
  const retryAfterSeconds = Math.ceil(wait / 1000);
  return new ClientError({ service: 'crm', kind: 'rateLimited', code: 'CRM_RATE_LIMIT', retryAfterSeconds });
}

/** The CRM asked for a pause of `seconds`. */
export async function pause(deps: { db: Db }, line: Line, seconds: number): Promise<void> {
  await holdOff(deps.db, line, { seconds, burstMs: line.kind === 'call' ? CALLS.burstMs : 0 });
}
