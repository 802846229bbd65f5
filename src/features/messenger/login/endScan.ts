import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../../clients/errors.ts';
import * as logins from './repo.ts';
import type { EndScan } from './schema.ts';
import { CLAIM_SECONDS, type ConnectDeps, unseal } from './service.ts';

/** A request is still at work on the sign-in; the job tries again. */
class ScanBusy extends Error {}

/**
 * Closes the session of a code that was shown, unless the sign-in was completed. Someone may have scanned it and left
 * before the page asked: Telegram would then list a device that no one here would ever use. Throws ClientError while
 * the messenger can't be told.
 */
export async function endScan(
  deps: Pick<ConnectDeps, 'db' | 'cipher' | 'messenger'>,
  { userId, tokenHash }: EndScan,
): Promise<void> {
  const key = { userId, tokenHash };
  if ((await logins.findLogin(deps.db, key))?.step !== 'scan') return;
  if (!(await logins.claimLogin(deps.db, key, CLAIM_SECONDS))) throw new ScanBusy('a scan is being checked');
  const login = await logins.findLogin(deps.db, key);
  try {
    if (login?.step !== 'scan') return;
    const { session } = unseal(deps, tokenHash, login.sealedState);
    await deps.messenger.logOut(session).catch(unlessEnded);
    await logins.deleteLogin(deps.db, key);
  } finally {
    await logins.releaseLogin(deps.db, key);
  }
}

const BUSY_TRIES = 10;
const BUSY_PAUSE_MS = 300;

/** Closes the sessions of all codes shown to a user, when the job would be too late. False if one is still open. */
export async function endScans(
  deps: Pick<ConnectDeps, 'db' | 'cipher' | 'messenger' | 'log'>,
  { userId }: { userId: string },
): Promise<boolean> {
  const scans = await logins.listScans(deps.db, userId);
  const ended = await Promise.all(scans.map(scan => endSoon(deps, scan)));
  return ended.every(isEnded => isEnded);
}

async function endSoon(deps: Parameters<typeof endScans>[0], scan: EndScan): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await endScan(deps, scan);
      return true;
    } catch (err) {
      if (!(err instanceof ScanBusy) || tries === BUSY_TRIES) {
        deps.log.warn({ err, userId: scan.userId }, 'session of a scanned code not closed');
        return false;
      }
      await sleep(BUSY_PAUSE_MS);
    }
  }
}

function unlessEnded(err: unknown): void {
  if (!(err instanceof ClientError && err.kind === 'auth')) throw err;
}
