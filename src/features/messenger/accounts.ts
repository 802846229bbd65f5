import { randomUUID } from 'node:crypto';
import { ClientError } from '../../clients/errors.ts';
import type { MessengerClient, MessengerUser } from '../../clients/messenger/types.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Cipher } from '../../lib/crypto.ts';
import type { Db } from '../../lib/db.ts';
import type { Log } from '../../lib/log.ts';
import { type Alerts, notify } from '../alerts/service.ts';
import type { NewChoice } from '../consent/schema.ts';
import { endAtDisconnect, storeAtSignIn } from '../consent/service.ts';
import { ensureSettings } from '../settings/service.ts';
import * as repo from './repo.ts';
import type { SealedAccount } from './schema.ts';
import { credentialsContext, waitForLease } from './withAccount.ts';

export type MessengerDeps = {
  db: Db;
  clock: Clock;
  cipher: Cipher;
  messenger: MessengerClient;
  log: Log;
  alerts: Alerts;
};
type Deps = MessengerDeps;
type Owned = { userId: string; accountId: string };
type SignedIn = {
  userId: string;
  session: string;
  messengerUser: MessengerUser;
  /** Undefined where nobody was asked: this server had no model to choose. */
  choice: NewChoice | undefined;
};

const WAIT_FOR_READER_SECONDS = 10;

/**
 * Keeps a fresh sign-in: credentials sealed for this one account, the account active. `alongside` runs in the same
 * transaction. A session that it replaces is logged out, as far as nobody is reading with it.
 */
export async function storeSignedIn(
  deps: Deps,
  { userId, session, messengerUser, choice }: SignedIn,
  alongside: (trx: Db, accountId: string) => Promise<void>,
): Promise<string> {
  const before = await deps.db
    .transaction(async trx => {
      const now = deps.clock.now();
      const { account, isNew } = await repo.takeAccountRow(trx, { userId, messengerUser, now });
      const sealedCredentials = deps.cipher.encrypt(session, credentialsContext(account.id));
      await repo.activateAccount(trx, { userId, accountId: account.id }, { messengerUser, sealedCredentials });
      await storeAtSignIn(trx, { userId, accountId: account.id }, { choice, isNew, now });
      await ensureSettings({ db: trx, clock: deps.clock }, { userId });
      await alongside(trx, account.id);
      return account;
    })
    .catch(err => endUnkept(deps, session, err));
  notify(deps, {
    level: 'info',
    source: 'messenger',
    kind: 'MESSENGER_CONNECTED',
    about: { userId, accountId: before.id },
  });
  if (before.sealedCredentials) await logOutReplaced(deps, { userId, accountId: before.id }, before.sealedCredentials);
  return before.id;
}

/** The user was deleted meanwhile, or the database is gone: nobody could ever end this session any more. */
async function endUnkept(deps: Deps, session: string, reason: unknown): Promise<never> {
  await deps.messenger.logOut(session).catch(err => deps.log.warn({ err }, 'messenger session not revoked'));
  throw reason;
}

async function logOutReplaced(deps: Deps, account: Owned, sealedCredentials: string): Promise<void> {
  const leaseOwner = randomUUID();
  if (!(await repo.acquireLease(deps.db, account, { leaseOwner, seconds: 30 }))) return;
  await logOut(deps, account, sealedCredentials);
  await repo.releaseLease(deps.db, account, leaseOwner);
}

/**
 * Ends the session at the messenger and wipes the credentials. A sync in the middle is stopped first; after 10 seconds
 * it is not waited for any longer. `revoked` is false when the messenger could not be told; the credentials are
 * wiped all the same. Consent to a model ends with the connection. Doing it again gives the same answer.
 */
export async function disconnect(deps: Deps, owned: Owned): Promise<{ revoked: boolean }> {
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

async function deactivate({ db, clock }: Deps, owned: Owned): Promise<void> {
  await db.transaction(async trx => {
    await repo.markInactive(trx, owned);
    await endAtDisconnect(trx, owned, clock.now());
  });
}

/**
 * Seals all credentials with the newest key. Returns how many. A sign-in between the steps is left alone: it is over
 * in ten minutes. Throws when one is sealed with a key that is no longer configured.
 */
export async function resealCredentials(deps: { db: Db; cipher: Cipher }): Promise<number> {
  const sealed = await repo.listAllSealedCredentials(deps.db);
  for (const { id, userId, credentials } of sealed) {
    const context = credentialsContext(id);
    const resealed = deps.cipher.encrypt(deps.cipher.decrypt(credentials, context), context);
    await repo.replaceCredentials(deps.db, { userId, accountId: id }, { from: credentials, to: resealed });
  }
  return sealed.length;
}

/** True when the session is certainly dead afterwards. */
async function logOut(deps: Deps, { accountId }: Owned, sealed: SealedAccount['sealedCredentials']): Promise<boolean> {
  try {
    const session = deps.cipher.decrypt(sealed ?? '', credentialsContext(accountId));
    await deps.messenger.logOut(session);
    return true;
  } catch (err) {
    if (err instanceof ClientError && err.kind === 'auth') return true;
    deps.log.warn({ err, accountId }, 'messenger session not revoked');
    return false;
  }
}
