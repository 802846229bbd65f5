import { setTimeout as sleep } from 'node:timers/promises';
import { keyedHash } from '../../../lib/crypto.ts';
import type { Db } from '../../../lib/db.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import type { Queue } from '../../../lib/queue.ts';
import { deleteAllTokens } from '../../assistants/tokens/service.ts';
import { type Alerts, deleteAlertsAbout, notify } from '../../base/alerts/service.ts';
import { foldAddress } from '../../base/users/rules.ts';
import { deleteAllDevices, deleteSignInTokensOf } from '../../base/users/service.ts';
import { cancelLater, cancelSubscriptions, insertClosedAccount, listPayable } from '../../billing/service.ts';
import { type CrmDeps, disconnect as disconnectCrm, wipeTokens } from '../../crm/service.ts';
import { endScans } from '../../messenger/login/checkScan.ts';
import { listSealedAccounts } from '../../messenger/repo.ts';
import { disconnect as disconnectMessenger } from '../../messenger/service.ts';
import { stopSyncs } from '../../sync/service.ts';
import * as repo from './repo.ts';
import { ORPHANS_AFTER_SECONDS, ORPHANS_QUEUE } from './schema.ts';

export type DeletionDeps = CrmDeps &
  Parameters<typeof disconnectMessenger>[0] &
  Parameters<typeof cancelSubscriptions>[0] & {
    queue: Queue;
    alerts: Alerts;
    /** Keys the hashes of addresses and phone numbers in the limits' table. */
    sessionSecret: string;
    /** Deletes the person's short-lived browser sessions. */
    forgetBrowserSessions(userId: string): Promise<void>;
  };

type Person = { userId: string; email: string };

/** Outside services that couldn't be told; the access is to be ended there by hand, or will be ended later. */
type UnreachedService = 'messenger' | 'crm' | 'payments';

const ROUNDS = 5;

/**
 * Ends everything the person has here and elsewhere, and erases it. An outside service that doesn't answer holds
 * nothing up: messenger and CRM credentials are wiped all the same, the queue cancels a subscription as soon as
 * possible. Doing it again, or twice at once, does no harm.
 * @returns the services that couldn't be told
 */
export async function deleteAccount(deps: DeletionDeps, person: Person): Promise<Set<UnreachedService>> {
  await deleteAllDevices(deps.db, person);
  await deleteAllTokens(deps.db, person);
  await stopSyncs(deps, person);
  const unreached = new Set<UnreachedService>();
  const cancelled = new Set<string>();
  for (let round = 1; ; round++) {
    for (const service of await endConnections(deps, person, cancelled)) unreached.add(service);
    const outcome = await erase(deps, person, cancelled);
    if (outcome === 'erased') notifyOfDeletion(deps);
    if (outcome !== 'again') break;
    // A request that was let in before the first line above has just connected something.
    if (round === ROUNDS) throw new Conflict('STILL_IN_USE', 'The account is still being used. Try again in a minute.');
  }
  await forgetBrowsers(deps, person);
  // A worker in the middle of something may still write it a moment from now.
  await deps.queue.send(ORPHANS_QUEUE.name, {}, { startAfter: ORPHANS_AFTER_SECONDS });
  return unreached;
}

/** All at once: each may run into its timeout. */
async function endConnections(
  deps: DeletionDeps,
  { userId }: Person,
  cancelled: Set<string>,
): Promise<UnreachedService[]> {
  const accounts = await listSealedAccounts(deps.db, userId);
  const connected = accounts.filter(account => account.sealedCredentials !== null);
  const told = await Promise.all([
    ...connected.map(({ id }) => endMessenger(deps, { userId, accountId: id })),
    endScans(deps, { userId }).then(isTold => (isTold ? undefined : 'messenger')),
    endCrm(deps, userId),
    endPayments(deps, userId, cancelled),
  ]);
  return told.filter(service => service !== undefined);
}

async function endMessenger(
  deps: DeletionDeps,
  owned: { userId: string; accountId: string },
): Promise<UnreachedService | undefined> {
  try {
    return (await disconnectMessenger(deps, owned)).revoked ? undefined : 'messenger';
  } catch (err) {
    // Erased meanwhile, by another request of the same person.
    if (err instanceof NotFound) return undefined;
    throw err;
  }
}

async function endCrm(deps: DeletionDeps, userId: string): Promise<UnreachedService | undefined> {
  try {
    return (await disconnectCrm(deps, { userId })).revoked ? undefined : 'crm';
  } catch (err) {
    // Tokens that can't be decrypted any more must not keep anybody here.
    deps.log.warn({ err, userId }, 'CRM access not revoked before a deletion');
    await wipeTokens(deps.db, userId);
    return 'crm';
  }
}

async function endPayments(
  deps: DeletionDeps,
  userId: string,
  cancelled: Set<string>,
): Promise<UnreachedService | undefined> {
  const ended = await cancelSubscriptions(deps, { userId });
  for (const id of ended.cancelled) cancelled.add(id);
  return ended.left.length > 0 ? 'payments' : undefined;
}

type Outcome = 'erased' | 'gone' | 'again';

/** A worker that writes rows of the user at the same moment may hold some that we want, and want some that we hold. */
async function erase(deps: DeletionDeps, person: Person, cancelled: Set<string>): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await deps.db.transaction(trx => eraseRows(deps, trx, person, cancelled));
    } catch (err) {
      if (!isDeadlock(err) || tries === ROUNDS) throw err;
      await sleep(100 * tries);
    }
  }
}

async function eraseRows(deps: DeletionDeps, trx: Db, person: Person, cancelled: Set<string>): Promise<Outcome> {
  await repo.lockUser(trx, person);
  if (await repo.hasConnections(trx, person)) return 'again';
  const payable = await listPayable({ db: trx }, person);
  await cancelLater(
    deps,
    trx,
    payable.filter(id => !cancelled.has(id)),
  );
  await insertClosedAccount(trx, { userId: person.userId, closedAt: deps.clock.now() });
  const phones = await repo.listPhones(trx, person);
  const keys = [foldAddress(person.email), ...phones].map(value => keyedHash(deps.sessionSecret, value));
  await repo.deleteTriesOf(trx, { ...person, keys });
  await repo.deleteJobsOf(trx, person);
  await deleteSignInTokensOf(trx, person.email);
  const isErased = await repo.deleteUser(trx, person);
  await deleteAlertsAbout(trx, person);
  return isErased ? 'erased' : 'gone';
}

function isDeadlock(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === '40P01';
}

async function forgetBrowsers(deps: DeletionDeps, { userId }: Person): Promise<void> {
  // They expire within the hour.
  await deps.forgetBrowserSessions(userId).catch(err => deps.log.warn({ err }, 'browser sessions not erased'));
}

function notifyOfDeletion(deps: DeletionDeps): void {
  notify(deps, { level: 'info', source: 'users', kind: 'USER_DELETED', about: {} });
}
