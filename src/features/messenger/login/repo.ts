import { type Db, toColumns } from '../../../lib/db.ts';
import { type Login, loginRow } from './schema.ts';

export type LoginKey = { userId: string; tokenHash: string };

/** The row of one sign-in. */
function selectLogin(db: Db, { userId, tokenHash }: LoginKey) {
  return db('messenger_logins').where({ user_id: userId, token_hash: tokenHash });
}

export async function insertLogin(
  db: Db,
  login: { userId: string; tokenHash: string; sealedState: string; expiresAt: Date; step: 'code' | 'scan' },
): Promise<void> {
  await db('messenger_logins').insert(toColumns(login));
}

export async function findLogin(db: Db, owned: LoginKey): Promise<Login | undefined> {
  const row = await selectLogin(db, owned).first();
  return row && loginRow.parse(row);
}

/** Sign-ins by a scanned code whose sessions are not closed yet. */
export async function listScans(db: Db, userId: string): Promise<LoginKey[]> {
  return db('messenger_logins')
    .where({ user_id: userId, step: 'scan' })
    .select('user_id as userId', 'token_hash as tokenHash');
}

export async function keepState(db: Db, owned: LoginKey, sealedState: string): Promise<void> {
  await selectLogin(db, owned).update({ sealed_state: sealedState });
}

/** Marks a sign-in as over from now on; it stays until its session at the messenger is closed. */
export async function expireUntilClosed(db: Db, owned: LoginKey, { sealedState, now }: { sealedState: string; now: Date }) {
  await selectLogin(db, owned).update({ step: 'scan', sealed_state: sealedState, expires_at: now });
}

export async function deleteLogin(db: Db, owned: LoginKey): Promise<void> {
  await selectLogin(db, owned).delete();
}

export async function countWrongTry(db: Db, owned: LoginKey): Promise<void> {
  await selectLogin(db, owned).increment('wrong_tries', 1);
}

export async function moveLoginToPassword(
  db: Db,
  owned: LoginKey,
  { sealedState, expiresAt }: { sealedState: string; expiresAt?: Date },
): Promise<void> {
  await selectLogin(db, owned).update({
    step: 'password',
    sealed_state: sealedState,
    ...(expiresAt && { expires_at: expiresAt }),
  });
}

/** The row stays until it expires, without its secrets, so that a repeated submit gets the same answer. */
export async function finishLogin(db: Db, owned: LoginKey, accountId: string): Promise<void> {
  await selectLogin(db, owned).update({ step: 'done', sealed_state: null, account_id: accountId });
}
