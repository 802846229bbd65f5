import { setTimeout as sleep } from 'node:timers/promises';
import type { Timed } from '../../../lib/clock.ts';
import { keyedHash } from '../../../lib/crypto.ts';
import { type Db, isUuid, toCamelCase, type UserKey } from '../../../lib/db.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log.ts';
import type { JobHandler, Queue } from '../../../lib/queue.ts';
import { countTokens } from '../../assistants/tokens/repo.ts';
import { deleteAllTokens } from '../../assistants/tokens/service.ts';
import { type Alerts, deleteAlertsAbout, notify } from '../../base/alerts/service.ts';
import { findEmail } from '../../base/users/repo.ts';
import { foldAddress } from '../../base/users/rules.ts';
import { deleteAllDevices, deleteSignInTokensOf } from '../../base/users/service.ts';
import { cancelLater, cancelSubscriptions, insertClosedAccount, listPayable } from '../../billing/service.ts';
import { getConnection } from '../../crm/repo.ts';
import { type CrmDeps, disconnect as disconnectCrm } from '../../crm/service.ts';
import type { AccountKey } from '../../messenger/dialogs/schema.ts';
import { endScans } from '../../messenger/login/checkScan.ts';
import { listAccounts, listSealedAccounts } from '../../messenger/repo.ts';
import { disconnect as disconnectMessenger } from '../../messenger/service.ts';
import { findFeed } from '../../promises/calendar/service.ts';
import { stopSyncs } from '../../sync/service.ts';
import * as repo from './repo.ts';
import { type ExportedTable, ORPHANS_AFTER_SECONDS, ORPHANS_QUEUE } from './schema.ts';

/**
 * Removes what still names users who are gone: a worker that was in the middle of something may have written it a
 * moment after the deletion. Its job carries no user id, so it leaves no trace itself.
 */
export async function sweepOrphans(deps: { db: Db }): Promise<void> {
  await repo.deleteJobsOfGoneUsers(deps.db);
  for (const userId of await repo.listGoneUsersInAlerts(deps.db)) await deleteAlertsAbout(deps.db, { userId });
}

/** A job that fails because its user was deleted is done, not retried or reported: nothing can be written for them. */
export function skipDeletedUsers(deps: { db: Db; log: Log }, handle: JobHandler): JobHandler {
  return async job => {
    try {
      await handle(job);
    } catch (err) {
      const userId = userOf(job.data);
      if (userId === undefined || (await findEmail(deps.db, userId)) !== undefined) throw err;
      deps.log.info({ err }, 'job left: its user is gone');
    }
  };
}

function userOf(data: unknown): string | undefined {
  const userId = typeof data === 'object' && data !== null && 'userId' in data ? data.userId : undefined;
  return typeof userId === 'string' && isUuid(userId) ? userId : undefined;
}

/** What a person is told before they delete their account. */
export async function listConsequences(deps: { db: Db }, { userId }: UserKey) {
  const [accounts, digests, connection, payable, tokens, feed] = await Promise.all([
    listAccounts(deps.db, userId),
    repo.countDigestsOfUser(deps.db, { userId }),
    getConnection(deps.db, userId),
    listPayable(deps, { userId }),
    countTokens(deps.db, { userId }),
    findFeed(deps.db, { userId }),
  ]);
  return {
    digests,
    messengerAccounts: accounts.filter(({ status }) => status === 'active').length,
    hasCrm: connection.status === 'active',
    hasApps: tokens > 0 || feed !== undefined,
    isPaying: payable.length > 0,
  };
}
export type AccountConsequences = Awaited<ReturnType<typeof listConsequences>>;

export const EXPORTED_TABLES: readonly ExportedTable[] = [
  { table: 'users', key: ['id'], owner: 'id' },
  { table: 'user_sessions', key: ['id'] },
  { table: 'api_tokens', key: ['id'], secret: ['token_hash'] },
  { table: 'assistant_consents', key: ['id'] },
  { table: 'calendar_feeds', key: ['user_id'], secret: ['token_hash'] },
  { table: 'onboardings', key: ['user_id'] },
  { table: 'sync_configs', key: ['user_id'] },
  { table: 'messenger_accounts', key: ['id'], secret: ['credentials'] },
  { table: 'writer_choices', key: ['id'] },
  { table: 'messenger_logins', key: ['token_hash'], secret: ['token_hash', 'sealed_state'] },
  { table: 'crm_connections', key: ['user_id'], secret: ['credentials'] },
  { table: 'crm_requirements', key: ['user_id', 'portal_id', 'object_type', 'name'] },
  { table: 'subscriptions', key: ['subscription_id'] },
  { table: 'dialogs', key: ['id'], secret: ['access_hash'] },
  { table: 'rejected_matches', key: ['dialog_id', 'crm_contact_id'] },
  { table: 'match_decisions', key: ['id'] },
  { table: 'digests', key: ['digest_date', 'id'] },
  { table: 'digest_changes', key: ['id'] },
  { table: 'digest_rewrites', key: ['digest_id'] },
  { table: 'sent_mails', key: ['user_id', 'kind'] },
  { table: 'promises', key: ['id'] },
  { table: 'promise_read_markers', key: ['user_id'] },
  { table: 'today_visits', key: ['user_id'] },
  { table: 'waiting_questions', key: ['dialog_id', 'message_id'] },
  { table: 'written_answers', key: ['user_id', 'fingerprint'] },
  { table: 'outbox_notes', key: ['crm_contact_id', 'id'], secret: ['claim'] },
  { table: 'outbox_tasks', key: ['id'], secret: ['claim'] },
  { table: 'sync_jobs', key: ['id'] },
  { table: 'sync_counters', key: ['user_id', 'kind'] },
];

export const KEPT_NOT_SHOWN = 'kept, not shown';

/** Data that names the person without belonging to them; the file says so. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  sign_in_tokens: 'Links in sign-in emails, as hashes, with the address they were sent to: they are gone after a day.',
  rate_limits:
    'Counted attempts, under hashes of your addresses, your phone number and your id: they are gone within hours.',
  browser_sessions: 'Messages for your next page and the steps of a connection: they are gone within an hour.',
  alerts: 'What the operator was told of, such as a failed sync, with your id in it: gone after 30 days.',
  queue: 'What waits to be done for you, with your id in it: gone some days after it is done.',
};

function presentRow(row: Record<string, unknown>, table: Pick<ExportedTable, 'secret'>) {
  const shown = Object.entries(row).map(([column, value]) => {
    const isHidden = table.secret?.includes(column) && value !== null && value !== '';
    return [toCamelCase(column), isHidden ? KEPT_NOT_SHOWN : value];
  });
  return Object.fromEntries(shown);
}

/** Rows held in memory at the same time. */
const AT_ONCE = 500;

/** Everything stored about the person as the text of one JSON document, piece by piece. */
export async function* exportAccount(deps: Timed, { userId }: UserKey): AsyncGenerator<string> {
  const head = {
    exportedAt: deps.clock.now().toISOString(),
    about: `Everything stored about you. Values that say "${KEPT_NOT_SHOWN}" are secrets, such as sessions and tokens.`,
    notInThisFile: NOT_EXPORTED,
  };
  yield JSON.stringify(head, null, 1).slice(0, -2);
  for (const table of EXPORTED_TABLES) {
    yield `,\n "${toCamelCase(table.table)}": [`;
    yield* exportRows(deps.db, table, userId);
    yield ']';
  }
  yield '\n}\n';
}

async function* exportRows(db: Db, table: ExportedTable, userId: string): AsyncGenerator<string> {
  let after: Record<string, unknown> | undefined;
  for (;;) {
    const rows = await repo.listRows(db, table, { userId, after, limit: AT_ONCE });
    const texts = rows.map(row => `\n  ${JSON.stringify(presentRow(row, table))}`);
    if (texts.length > 0) yield `${after ? ',' : ''}${texts.join(',')}`;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1);
  }
}

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

/** Unreachable services, where access must be ended by hand, or is ended later. */
type UnreachedService = 'messenger' | 'crm' | 'payments';

const ROUNDS = 5;

/**
 * Ends and erases all of the user's data, here and elsewhere. Unreachable services don't block it: credentials are erased
 * anyway, the queue cancels a subscription as soon as possible. Idempotent, also concurrently.
 * @returns the unreachable services
 */
export async function deleteAccount(deps: DeletionDeps, person: Person): Promise<Set<UnreachedService>> {
  await deleteAllDevices(deps.db, person);
  await deleteAllTokens(deps.db, person);
  await stopSyncs(deps, person);
  const unreached = new Set<UnreachedService>();
  const cancelled = new Set<string>();
  for (let round = 1; ; round++) {
    for (const service of await endConnections(deps, person, cancelled)) unreached.add(service);
    const outcome = await eraseAccount(deps, person, cancelled);
    if (outcome === 'erased') notify(deps, { level: 'info', source: 'users', kind: 'USER_DELETED', about: {} });
    if (outcome !== 'again') break;
    // A request that was let in before the first line above has just connected something.
    if (round === ROUNDS) throw new Conflict('STILL_IN_USE', 'The account is still being used. Try again in a minute.');
  }
  // On failure, the sessions expire within the hour.
  await deps.forgetBrowserSessions(person.userId).catch(err => deps.log.warn({ err }, 'browser sessions not erased'));
  // A worker in the middle of something may still write it a moment from now.
  await deps.queue.send(ORPHANS_QUEUE.name, {}, { startAfter: ORPHANS_AFTER_SECONDS });
  return unreached;
}

/** Ends all connections at the same time, as each may run into its timeout. Returns the services not reached. */
async function endConnections(deps: DeletionDeps, { userId }: Person, cancelled: Set<string>): Promise<UnreachedService[]> {
  const accounts = await listSealedAccounts(deps.db, userId);
  const connected = accounts.filter(account => account.sealedCredentials !== null);
  const unreachedServices = await Promise.all([
    ...connected.map(({ id }) => endMessenger(deps, { userId, accountId: id })),
    endScans(deps, { userId }).then(isTold => (isTold ? undefined : 'messenger')),
    endCrm(deps, userId),
    endPayments(deps, userId, cancelled),
  ]);
  return unreachedServices.filter(service => service !== undefined);
}

async function endMessenger(deps: DeletionDeps, owned: AccountKey): Promise<UnreachedService | undefined> {
  try {
    return (await disconnectMessenger(deps, owned)).revoked ? undefined : 'messenger';
  } catch (err) {
    // Another request of the same user has erased it.
    if (err instanceof NotFound) return undefined;
    throw err;
  }
}

async function endCrm(deps: DeletionDeps, userId: string): Promise<UnreachedService | undefined> {
  return (await disconnectCrm(deps, { userId })).revoked ? undefined : 'crm';
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

type ErasureOutcome = 'erased' | 'gone' | 'again';

/** Erases everything in one transaction, tried again after a deadlock with a worker that writes rows of the user. */
async function eraseAccount(deps: DeletionDeps, person: Person, cancelled: Set<string>): Promise<ErasureOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await deps.db.transaction(trx => eraseRows(deps, trx, person, cancelled));
    } catch (err) {
      const isDeadlock = err instanceof Error && 'code' in err && err.code === '40P01';
      if (!isDeadlock || tries === ROUNDS) throw err;
      await sleep(100 * tries);
    }
  }
}

async function eraseRows(deps: DeletionDeps, trx: Db, person: Person, cancelled: Set<string>): Promise<ErasureOutcome> {
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
