import type { MessengerUser } from '../../clients/messenger/types.ts';
import { type Db, isUuid, toColumns } from '../../lib/db.ts';
import { NotFound } from '../../lib/errors.ts';
import type { AccountKey } from './dialogs/schema.ts';
import { accountRow, type CallRates, type MessengerAccount, type SealedAccount, sealedAccountRow } from './schema.ts';

function selectAccount(db: Db, { userId, accountId }: AccountKey) {
  return db('messenger_accounts').where({ user_id: userId, id: accountId });
}

export async function listAccounts(db: Db, userId: string): Promise<MessengerAccount[]> {
  const rows = await db('messenger_accounts').where({ user_id: userId }).orderBy('connected_at');
  return rows.map(row => accountRow.parse(row));
}

export async function listUsersWithActiveAccount(db: Db, userIds: string[]): Promise<Set<string>> {
  const rows = await db('messenger_accounts')
    .whereIn('user_id', userIds)
    .where({ status: 'active' })
    .distinct<{ user_id: string }[]>('user_id');
  return new Set(rows.map(row => row.user_id));
}

export async function listSealedAccounts(db: Db, userId: string): Promise<SealedAccount[]> {
  const rows = await db('messenger_accounts').where({ user_id: userId }).orderBy('connected_at');
  return rows.map(row => sealedAccountRow.parse(row));
}

/** Throws NotFound for an unknown account and for another user's. */
export async function getSealedAccount(db: Db, { userId, accountId }: AccountKey): Promise<SealedAccount> {
  const row = isUuid(accountId) ? await selectAccount(db, { userId, accountId }).first() : undefined;
  if (!row) throw new NotFound('Telegram account');
  return sealedAccountRow.parse(row);
}

/**
 * Returns this messenger user's row among the user's accounts, creating it if there was none: signing in again reuses
 * the row, so that conversations, matches and cursors stay. Locked until the transaction ends.
 */
export async function takeAccountRow(
  db: Db,
  { userId, messengerUser, now }: { userId: string; messengerUser: MessengerUser; now: Date },
): Promise<{ account: SealedAccount; isNew: boolean }> {
  const [row] = await db('messenger_accounts')
    .insert({ user_id: userId, messenger_user_id: messengerUser.id, status: 'inactive', connected_at: now })
    .onConflict(['user_id', 'messenger_user_id'])
    .merge({ connected_at: now })
    .returning(['*', db.raw('xmax = 0 as is_new')]);
  return { account: sealedAccountRow.parse(row), isNew: row.is_new };
}

export async function activateAccount(db: Db, owned: AccountKey, user: MessengerUser, credentials: string) {
  const { phone, firstName, lastName, username } = user;
  await selectAccount(db, owned).update({
    status: 'active',
    credentials,
    ...toColumns({ phone, firstName, lastName, username }),
    revoked_at: null,
    dialogs_listed_at: null,
    all_dialogs_listed_at: null,
    dialogs_known_until: null,
  });
}

/** Ends an account whose session the messenger no longer accepts. False if a newer sign-in has replaced it. */
export async function endDeadAccount(
  db: Db,
  owned: AccountKey,
  end: { status: 'expired' | 'banned'; sealedCredentials: string },
): Promise<boolean> {
  const ended = await selectAccount(db, owned)
    .where({ credentials: end.sealedCredentials })
    .update({ status: end.status, credentials: null });
  return ended === 1;
}

export async function setFloodUntil(db: Db, owned: AccountKey, until: Date): Promise<void> {
  await selectAccount(db, owned).update({ flood_until: until });
}

export async function setCallRates(db: Db, owned: AccountKey, rates: CallRates): Promise<void> {
  await selectAccount(db, owned).update({ call_rates: JSON.stringify(rates) });
}

/** Stops new work on the account; a running reader ends at its next lease renewal. */
export async function markInactive(db: Db, owned: AccountKey): Promise<void> {
  await selectAccount(db, owned).update({ status: 'inactive' });
}

/** Does nothing for an account that was connected again meanwhile. */
export async function wipeInactiveCredentials(db: Db, owned: AccountKey, revokedAt: Date | null): Promise<void> {
  await selectAccount(db, owned).where({ status: 'inactive' }).update({ credentials: null, revoked_at: revokedAt });
}

/** Records that conversations were listed: all of them, if `isWhole`. `knownUntil` is by the messenger's clock. */
export async function setDialogsListed(
  db: Db,
  owned: AccountKey,
  { now, isWhole, knownUntil }: { now: Date; isWhole: boolean; knownUntil: Date | null },
): Promise<void> {
  await selectAccount(db, owned).update({
    dialogs_listed_at: now,
    last_used_at: now,
    dialogs_known_until: knownUntil,
    ...(isWhole && { all_dialogs_listed_at: now }),
  });
}

export async function isActive(db: Db, owned: AccountKey): Promise<boolean> {
  return (await selectAccount(db, owned).where({ status: 'active' }).first('id')) !== undefined;
}

export type ConnectedUser = { firstName: string; lastName: string; username: string };

export async function findConnectedUser(db: Db, userId: string, accountId: string): Promise<ConnectedUser> {
  const row = await selectAccount(db, { userId, accountId }).first();
  const { firstName, lastName, username } = accountRow.parse(row);
  return { firstName, lastName, username };
}
