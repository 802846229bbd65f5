import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../../clients/errors.ts';
import type { Db } from '../../../lib/db.ts';
import { type Pace, readWaitMs, reserveTurn, type ThrottleKey } from './repo.ts';

export { holdOff } from './repo.ts';

/**
 * The CRM's limits for one account, with room to spare: 110 calls other than searches in any 10 seconds, 5 searches in
 * any second. It counts a search when it arrives: fewer than 4 do within a second even when some take 200 ms longer
 * than others. https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
 */
const PACES: Record<ThrottleKey['kind'], Pace> = { call: { most: 20, windowMs: 2000 }, search: { most: 3, windowMs: 1200 } };

/** A longer wait is an error instead. */
const PATIENCE_MS = 60_000;
/** A process that was busy and missed its turn by more than this takes another one. */
const DELAY_TOLERANCE_MS = 50;
const MAX_TURNS = 4;

/** Waits for a turn among all processes that call this account. Throws ClientError `CRM_RATE_LIMIT` beyond a minute. */
export async function takeTurn({ db }: { db: Db }, line: ThrottleKey): Promise<void> {
  const pace = PACES[line.kind];
  for (let turns = 1; ; turns += 1) {
    const wait = await reserveTurn(db, line, { ...pace, patienceMs: PATIENCE_MS });
    if (wait === undefined) {
      const retryAfterSeconds = Math.ceil((await readWaitMs(db, line, pace)) / 1000);
      throw new ClientError({ service: 'crm', kind: 'rateLimited', code: 'CRM_RATE_LIMIT', retryAfterSeconds });
    }
    const due = performance.now() + wait;
    if (wait > 0) await sleep(wait);
    if (line.kind === 'call' || performance.now() - due < DELAY_TOLERANCE_MS || turns === MAX_TURNS) return;
  }
}
