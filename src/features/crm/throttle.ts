import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../clients/errors.ts';
import type { Db } from '../../lib/db.ts';
import { type CallKind, holdOff, type Pace, reserveTurn, waitOf } from './throttleRepo.ts';

/**
 * What the CRM allows one account, with room to spare: 5 searches a second, and 110 other calls in any 10 seconds
 * (20 at once, then one each 112 ms).
 * https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
 */
const PACES: Record<CallKind, Pace> = {
  search: { everyMs: 250, burstMs: 0 },
  call: { everyMs: 112, burstMs: 19 * 112 },
};

/** Whoever would have to wait longer is told so instead. */
const PATIENCE_MS = 60_000;

type Line = { portalId: string; kind: CallKind };

/** Waits for a turn among all processes that ask this account. Throws ClientError `CRM_RATE_LIMIT` beyond a minute. */
export async function takeTurn(deps: { db: Db }, line: Line): Promise<void> {
  const pace = PACES[line.kind];
  const wait = await reserveTurn(deps.db, line, { ...pace, patienceMs: PATIENCE_MS });
  if (wait === undefined) {
    const retryAfterSeconds = Math.ceil((await waitOf(deps.db, line, pace)) / 1000);
    throw new ClientError({ service: 'crm', kind: 'rateLimited', code: 'CRM_RATE_LIMIT', retryAfterSeconds });
  }
  if (wait > 0) await sleep(wait);
}

/** The CRM asked for `seconds` of peace. */
export async function pause(deps: { db: Db }, line: Line, seconds: number): Promise<void> {
  await holdOff(deps.db, line, { seconds, burstMs: PACES[line.kind].burstMs });
}
