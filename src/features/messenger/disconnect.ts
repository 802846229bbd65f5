import { endAtDisconnect } from './consent/service.ts';
import { logOut } from './logOut.ts';
import * as repo from './repo.ts';
import { type MessengerDeps, waitForLease } from './withAccount.ts';

const WAIT_FOR_READER_SECONDS = 10;

/**
 * Ends the session at the messenger and wipes the credentials. A running sync is stopped first, and waited for up to 10
 * seconds. `revoked` is false if the messenger could not be told; the credentials are wiped all the same. Consent to a
 * model ends with the connection. Calling it again gives the same answer.
 */
export async function disconnect(deps: MessengerDeps, owned: repo.Owned): Promise<{ revoked: boolean }> {
  const account = await repo.getSealedAccount(deps.db, owned);
  if (!account.sealedCredentials) {
    await deactivate(deps, owned);
    return { revoked: account.status !== 'inactive' || account.revokedAt !== null };
  }
  await deactivate(deps, owned);
  await waitForLease(deps, owned, WAIT_FOR_READER_SECONDS);
  const revoked = await logOut(deps, owned, account.sealedCredentials);
  await repo.wipeCredentials(deps.db, owned, revoked ? deps.clock.now() : null);
  deps.log.info({ ...owned, revoked }, 'messenger account disconnected');
  return { revoked };
}

async function deactivate({ db, clock }: MessengerDeps, owned: repo.Owned): Promise<void> {
  await db.transaction(async trx => {
    await repo.markInactive(trx, owned);
    await endAtDisconnect(trx, owned, clock.now());
  });
}
