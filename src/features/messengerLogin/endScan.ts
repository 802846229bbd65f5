import { ClientError } from '../../clients/errors.ts';
import * as logins from './repo.ts';
import type { EndScan } from './schema.ts';
import { CLAIM_SECONDS, type ConnectDeps, unseal } from './service.ts';

/** A request is still at work on the sign-in; the job tries again. */
class ScanBusy extends Error {}

/**
 * Closes the session of a code that was shown, unless the sign-in went on. Someone may have scanned it and left before the
 * page asked: Telegram lists a device then that no one here would ever use. Throws ClientError while the messenger can't be
 * told.
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

function unlessEnded(err: unknown): void {
  if (!(err instanceof ClientError && err.kind === 'auth')) throw err;
}
