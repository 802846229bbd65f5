import { ClientError } from '../../clients/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { Conflict } from '../../lib/errors.ts';
import { callingCodeOf } from '../../lib/phone.ts';
import { countOf } from '../../lib/words.ts';
import { getLimits } from '../billing/service.ts';
import { listDialogs as listStoredDialogs } from './dialogs/repo.ts';
import type { Dialog } from './dialogs/schema.ts';
import type { Write } from './dialogs/storeDialogList.ts';
import { listConversations } from './listConversations.ts';
import { refuseDuringFlood, rememberFlood } from './rememberFlood.ts';
import * as repo from './repo.ts';
import { hasRoomFor, isFlooded, isListedForPages } from './rules.ts';
import type { MessengerAccount, SealedAccount } from './schema.ts';
import { AccountBusy, type MessengerDeps, withAccount } from './withAccount.ts';

export { listSealedAccounts, listUsersWithActiveAccount } from './repo.ts';

/** Listing is the first call that the messenger limits. */
const LIST_CACHE_SECONDS = 60;

/** The user's accounts, including those that expired or were disconnected, oldest first. */
export async function listAccounts(deps: { db: Db }, { userId }: { userId: string }): Promise<MessengerAccount[]> {
  return repo.listAccounts(deps.db, userId);
}

/**
 * Throws Conflict `PLAN_LIMIT` if signing in with this phone would exceed the number of accounts in the plan. Without a
 * phone: if any further account would.
 */
export async function refuseOverPlan(
  deps: { db: Db },
  { userId, phone }: { userId: string; phone?: string },
): Promise<void> {
  const { messengerAccounts: included } = await getLimits(deps, { userId });
  if (hasRoomFor(phone, await repo.listAccounts(deps.db, userId), included)) return;
  const accounts = countOf(included, 'Telegram account, which is', 'Telegram accounts, which are');
  throw new Conflict('PLAN_LIMIT', `Your plan includes ${accounts} already connected.`);
}

/**
 * All conversations of the user's connected accounts, newest first. Asks the messenger at most once a minute; while a
 * sync has the connection, or when the messenger fails, it answers from what is stored. Throws ClientError
 * only when there is nothing stored.
 */
export async function listDialogs(deps: MessengerDeps, { userId }: { userId: string }): Promise<Dialog[]> {
  const accounts = (await repo.listSealedAccounts(deps.db, userId)).filter(a => a.status !== 'inactive');
  const errors: ClientError[] = [];
  for (const account of accounts.filter(one => isListDue(deps.clock, one))) {
    const error = await refreshList(deps, userId, account);
    if (error) errors.push(error);
  }
  const connected = new Set(accounts.map(account => account.id));
  const stored = (await listStoredDialogs(deps.db, userId)).filter(dialog => connected.has(dialog.accountId));
  const [error] = errors;
  if (error && stored.length === 0) throw error;
  return stored;
}

function isListDue(clock: Clock, account: SealedAccount): boolean {
  if (account.status !== 'active' || !isListedForPages(account, clock.now())) return false;
  const age = clock.now().getTime() - (account.dialogsListedAt?.getTime() ?? 0);
  return age > LIST_CACHE_SECONDS * 1000;
}

/** Returns the error that kept an account from being listed, if it was never listed before. */
async function refreshList(
  deps: MessengerDeps,
  userId: string,
  account: SealedAccount,
): Promise<ClientError | undefined> {
  const owned = { userId, accountId: account.id };
  try {
    refuseDuringFlood(deps.clock, account);
    const write: Write = work => work(deps.db);
    await withAccount(deps, { ...owned, waitSeconds: 0 }, ({ reader, account: leased }) =>
      listConversations({ write, clock: deps.clock }, { userId, account: leased }, reader),
    );
    return undefined;
  } catch (err) {
    if (err instanceof AccountBusy) return undefined;
    if (err instanceof ClientError && err.kind === 'rateLimited' && !isFlooded(account, deps.clock.now())) {
      await rememberFlood(deps, owned, err);
    }
    if (!(err instanceof ClientError)) throw err;
    deps.log.warn({ err, accountId: account.id }, 'conversations not listed, answering from what is stored');
    return account.dialogsListedAt !== null || err.kind === 'auth' ? undefined : err;
  }
}

/** The calling code of the country of each account's own number, by account. */
export async function callingCodes({ db }: { db: Db }, userId: string): Promise<Map<string, string>> {
  const accounts = await listAccounts({ db }, { userId });
  return new Map(accounts.map(({ id, phone }) => [id, callingCodeOf(phone)]));
}
