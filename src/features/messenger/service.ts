import { ClientError } from '../../clients/errors.ts';
import type { MessengerReader, MessengerUser } from '../../clients/messenger/types.ts';
import { type Clock, secondsAfter, type Timed } from '../../lib/clock.ts';
import { type Cipher, resealAll } from '../../lib/crypto.ts';
import type { Db, UserKey } from '../../lib/db.ts';
import { Conflict } from '../../lib/errors.ts';
import { withLease } from '../../lib/lease.ts';
import { findCallingCode } from '../../lib/phone.ts';
import type { ReadLimiter } from '../../lib/readLimiter.ts';
import { formatQuantity } from '../../lib/words.ts';
import { notify } from '../base/alerts/service.ts';
import { ensureSettings } from '../base/settings/service.ts';
import { getLimits } from '../billing/service.ts';
import type { NewChoice } from './consent/schema.ts';
import { endChoicesOfAccount, storeChoiceOfAccount } from './consent/service.ts';
import { countDialogs, listDialogs as listStoredDialogs, type Range } from './dialogs/repo.ts';
import { sumOfDialogs } from './dialogs/rules.ts';
import type { AccountKey, Dialog } from './dialogs/schema.ts';
import { type Listing, storeDialogList, type Write } from './dialogs/service.ts';
import * as repo from './repo.ts';
import { hasRoomFor, isFlooded, isListedForPages, listedSince } from './rules.ts';
import type { MessengerAccount, SealedAccount } from './schema.ts';
import {
  credentialsContext,
  type MessengerDeps,
  NoConnection,
  nameAccountLease,
  waitForLease,
  withAccount,
} from './withAccount.ts';

export type ListDeps = MessengerDeps & { readLimiter: ReadLimiter };

/** Listing is the first call that the messenger limits. */
const LIST_CACHE_SECONDS = 60;

/** Throws Conflict `PLAN_LIMIT` if this phone's account, or without a phone any further one, would exceed the plan. */
export async function refuseOverPlan(deps: { db: Db }, { userId, phone }: { userId: string; phone?: string }) {
  const { messengerAccounts: included } = await getLimits(deps, { userId });
  if (hasRoomFor(phone, await repo.listAccounts(deps.db, userId), included)) return;
  const accounts = formatQuantity(included, 'Telegram account, which is', 'Telegram accounts, which are');
  throw new Conflict('PLAN_LIMIT', `Your plan includes ${accounts} already connected.`);
}

/**
 * Conversations of the user's connected accounts, newest first, or a range of them, with the total. Queries the messenger at
 * most once a minute; uses stored rows during a sync or if the messenger fails. Throws ClientError if none are stored.
 */
export async function listDialogs(
  deps: ListDeps,
  { userId, range }: UserKey & { range?: Range },
): Promise<{ dialogs: Dialog[]; total: number }> {
  const accounts = (await repo.listSealedAccounts(deps.db, userId)).filter(a => a.status !== 'inactive');
  const errors: ClientError[] = [];
  const now = deps.clock.now();
  for (const account of accounts) {
    const age = now.getTime() - (account.dialogsListedAt?.getTime() ?? 0);
    const isDue = account.status === 'active' && isListedForPages(account, now) && age > LIST_CACHE_SECONDS * 1000;
    if (!isDue) continue;
    const error = await refreshList(deps, userId, account);
    if (error) errors.push(error);
  }
  const accountIds = accounts.map(({ id }) => id);
  const [dialogs, counts] = await deps.readLimiter(userId, () =>
    Promise.all([listStoredDialogs(deps.db, userId, { accountIds, range }), countDialogs(deps.db, userId)]),
  );
  const total = sumOfDialogs(counts.filter(({ accountId }) => accountIds.includes(accountId)));
  const [error] = errors;
  if (error && total === 0) throw error;
  return { dialogs, total };
}

/** Returns the error that kept an account from being listed, if it was never listed before. */
async function refreshList(deps: MessengerDeps, userId: string, account: SealedAccount): Promise<ClientError | undefined> {
  const owned = { userId, accountId: account.id };
  try {
    refuseDuringFlood(deps.clock, account);
    const write: Write = work => work(deps.db);
    await withAccount(deps, { ...owned, waitSeconds: 0 }, ({ reader, account: leased }) =>
      refreshDialogs({ write, clock: deps.clock }, { userId, account: leased }, reader),
    );
    return undefined;
  } catch (err) {
    if (err instanceof NoConnection) return undefined;
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
  const accounts = await repo.listAccounts(db, userId);
  return new Map(accounts.map(({ id, phone }) => [id, findCallingCode(phone)]));
}

/**
 * Brings the stored conversations of an account up to date: all of them once a day, at other times those that moved since
 * they were last listed. Names, phones and unread counts of the others may be a day old.
 */
export async function refreshDialogs(
  { write, clock }: { write: Write; clock: Clock },
  { userId, account }: { userId: string; account: SealedAccount },
  reader: MessengerReader,
  { onPage }: Pick<Listing, 'onPage'> = {},
): Promise<void> {
  const owned = { userId, accountId: account.id };
  const since = listedSince(account, clock.now());
  const knownUntil = await storeDialogList(write, owned, reader, { since, onPage });
  const listed = { now: clock.now(), isWhole: since === undefined, knownUntil };
  await write(db => repo.setDialogsListed(db, owned, listed));
}

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
  const storedAccount = await deps.db
    .transaction(async trx => {
      const now = deps.clock.now();
      const { account, isNew } = await repo.takeAccountRow(trx, { userId, messengerUser, now });
      const sealedCredentials = deps.cipher.encrypt(session, credentialsContext(account.id));
      await repo.activateAccount(trx, { userId, accountId: account.id }, messengerUser, sealedCredentials);
      await storeChoiceOfAccount(trx, { userId, accountId: account.id }, { choice, isNew, now });
      await ensureSettings({ db: trx, clock: deps.clock }, { userId });
      await alongside(trx, account.id);
      return account;
    })
    .catch(err => endUnkept(deps, session, err));
  notify(deps, {
    level: 'info',
    source: 'messenger',
    kind: 'MESSENGER_CONNECTED',
    about: { userId, accountId: storedAccount.id },
  });
  const owned = { userId, accountId: storedAccount.id };
  const old = storedAccount.sealedCredentials;
  if (old) await withLease(deps, nameAccountLease(storedAccount.id), 30, () => logOut(deps, owned, old));
  return storedAccount.id;
}

/** The user was deleted meanwhile, or the database is gone: ends the session now, as nothing could later. */
async function endUnkept(deps: MessengerDeps, session: string, reason: unknown): Promise<never> {
  await deps.messenger.logOut(session).catch(err => deps.log.warn({ err }, NOT_REVOKED));
  throw reason;
}

const NOT_REVOKED = 'messenger session not revoked';

const WAIT_FOR_READER_SECONDS = 10;

/**
 * Ends the session at the messenger and erases the credentials. Stops a running sync first, waiting up to 10 seconds.
 * `revoked` is false if the messenger was unreachable. Consent to a model ends as well. Idempotent.
 */
export async function disconnect(deps: MessengerDeps, owned: AccountKey): Promise<{ revoked: boolean }> {
  const account = await repo.getSealedAccount(deps.db, owned);
  await deps.db.transaction(async trx => {
    await repo.markInactive(trx, owned);
    await endChoicesOfAccount(trx, owned, deps.clock.now());
  });
  if (!account.sealedCredentials) return { revoked: account.status !== 'inactive' || account.revokedAt !== null };
  await waitForLease(deps, owned, WAIT_FOR_READER_SECONDS);
  const revoked = await logOut(deps, owned, account.sealedCredentials);
  await repo.wipeInactiveCredentials(deps.db, owned, revoked ? deps.clock.now() : null);
  deps.log.info({ ...owned, revoked }, 'messenger account disconnected');
  return { revoked };
}

/** Ends an account's session at the messenger. True when it is certainly dead afterwards. */
async function logOut(deps: MessengerDeps, { accountId }: AccountKey, sealed: SealedAccount['sealedCredentials']) {
  try {
    const session = deps.cipher.decrypt(sealed ?? '', credentialsContext(accountId));
    await deps.messenger.logOut(session);
    return true;
  } catch (err) {
    if (err instanceof ClientError && err.kind === 'auth') return true;
    deps.log.warn({ err, accountId }, NOT_REVOKED);
    return false;
  }
}

/** Seals all credentials with the newest key; a sign-in between two steps is left alone: it expires within ten minutes. */
export async function resealCredentials(deps: { db: Db; cipher: Cipher }): Promise<number> {
  return resealAll(deps, { table: 'messenger_accounts', idColumn: 'id', context: credentialsContext });
}

/** Fallback if the messenger names no duration. */
const UNKNOWN_WAIT_SECONDS = 300;

type Flooded = Pick<MessengerAccount, 'floodUntil'>;

/** Seconds until the messenger accepts calls for this account again; 0 if it does now. */
export function floodSeconds(clock: Clock, { floodUntil }: Flooded): number {
  return floodUntil ? Math.max(0, (floodUntil.getTime() - clock.now().getTime()) / 1000) : 0;
}

/** Throws `FLOOD_WAIT` while the wait lasts: asking again before it is over makes it longer. */
export function refuseDuringFlood(clock: Clock, account: Flooded): void {
  const seconds = Math.ceil(floodSeconds(clock, account));
  if (seconds === 0) return;
  throw new ClientError({ service: 'messenger', kind: 'rateLimited', code: 'FLOOD_WAIT', retryAfterSeconds: seconds });
}

/** Stores with the account, for all processes, how long the messenger wants no calls, and returns it in seconds. */
export async function rememberFlood(
  { db, clock }: Timed,
  owned: AccountKey,
  { retryAfterSeconds: seconds = UNKNOWN_WAIT_SECONDS }: ClientError,
): Promise<number> {
  await repo.setFloodUntil(db, owned, secondsAfter(clock, seconds));
  return seconds;
}
