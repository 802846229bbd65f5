import { randomUUID } from 'node:crypto';
import type { MessengerUser } from '../../clients/messenger/types.ts';
import type { Db } from '../../lib/db.ts';
import { notify } from '../base/alerts/service.ts';
import { ensureSettings } from '../base/settings/service.ts';
import type { NewChoice } from './consent/schema.ts';
import { storeAtSignIn } from './consent/service.ts';
import { logOut } from './logOut.ts';
import * as repo from './repo.ts';
import { credentialsContext, type MessengerDeps } from './withAccount.ts';

type SignedIn = {
  userId: string;
  session: string;
  messengerUser: MessengerUser;
  /** Undefined where there was no choice: this server had no model. */
  choice: NewChoice | undefined;
};

/**
 * Stores a new sign-in: seals the credentials for this one account and makes it active. `alongside` runs in the same
 * transaction. A session that it replaces is logged out, unless a sync is reading with it.
 */
export async function storeAccount(
  deps: MessengerDeps,
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

/** The user was deleted meanwhile, or the database is gone: nothing could end this session later. */
async function endUnkept(deps: MessengerDeps, session: string, reason: unknown): Promise<never> {
  await deps.messenger.logOut(session).catch(err => deps.log.warn({ err }, 'messenger session not revoked'));
  throw reason;
}

async function logOutReplaced(deps: MessengerDeps, account: repo.Owned, sealedCredentials: string): Promise<void> {
  const leaseOwner = randomUUID();
  if (!(await repo.acquireLease(deps.db, account, { leaseOwner, seconds: 30 }))) return;
  await logOut(deps, account, sealedCredentials);
  await repo.releaseLease(deps.db, account, leaseOwner);
}
