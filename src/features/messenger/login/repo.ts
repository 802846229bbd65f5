import { type Db, toColumns } from '../../../lib/db.ts';
import { type Login, loginRow } from './schema.ts';

type LoginKey = { userId: string; tokenHash: string };

/** The row of one sign-in. */
function loginOf(db: Db, { userId, tokenHash }: LoginKey) {
  return db('messenger_logins').where({ user_id: userId, token_hash: tokenHash });
}

export async function insertLogin(
  db: Db,
  login: { userId: string; tokenHash: string; sealedState: string; expiresAt: Date; step: 'code' | 'scan' },
): Promise<void> {
  await db('messenger_logins').insert(toColumns(login));
}

export async function findLogin(db: Db, owned: LoginKey): Promise<Login | undefined> {
  const row = await loginOf(db, owned).first();
  return row && loginRow.parse(row);
}

/** Sign-ins by a scanned code whose sessions are not closed yet. */
export async function listScans(db: Db, userId: string): Promise<LoginKey[]> {
  return db('messenger_logins')
    .where({ user_id: userId, step: 'scan' })
    .select('user_id as userId', 'token_hash as tokenHash');
}

/** Claims a step for one request at a time; false if another request is working on it. */
export async function claimLogin(db: Db, owned: LoginKey, seconds: number): Promise<boolean> {
  const claimed = await loginOf(db, owned)
    .whereRaw('(busy_until is null or busy_until < now())')
    .update({ busy_until: db.raw(`now() + ? * interval '1 second'`, [seconds]) });
  return claimed === 1;
}

/** Only for the request that holds the claim. */
export async function prolongClaim(db: Db, owned: LoginKey, seconds: number): Promise<void> {
  await loginOf(db, owned).update({ busy_until: db.raw(`now() + ? * interval '1 second'`, [seconds]) });
}

export async function releaseLogin(db: Db, owned: LoginKey): Promise<void> {
  await loginOf(db, owned).update({ busy_until: null });
}

/** Like {@link releaseLogin}, but leaves a code to scan alone for this many seconds. */
export async function restScan(db: Db, owned: LoginKey, seconds: number): Promise<void> {
  const rest = `case when step = 'scan' then now() + ? * interval '1 second' end`;
  await loginOf(db, owned).update({ busy_until: db.raw(rest, [seconds]) });
}

export async function keepState(db: Db, owned: LoginKey, sealedState: string): Promise<void> {
  await loginOf(db, owned).update({ sealed_state: sealedState });
}

/** Keeps a sign-in that is over, because its session still has to be closed. */
export async function keepToEnd(db: Db, owned: LoginKey, { sealedState, now }: { sealedState: string; now: Date }) {
  await loginOf(db, owned).update({ step: 'scan', sealed_state: sealedState, expires_at: now });
}

export async function deleteLogin(db: Db, owned: LoginKey): Promise<void> {
  await loginOf(db, owned).delete();
}

export async function countWrongTry(db: Db, owned: LoginKey): Promise<void> {
  await loginOf(db, owned).increment('wrong_tries', 1);
}

export async function moveLoginToPassword(
  db: Db,
  owned: LoginKey,
  { sealedState, expiresAt }: { sealedState: string; expiresAt?: Date },
): Promise<void> {
  await loginOf(db, owned).update({
    step: 'password',
    sealed_state: sealedState,
    ...(expiresAt && { expires_at: expiresAt }),
  });
}

/** The row stays until it expires, without its secrets, so that a repeated submit gets the same answer. */
export async function finishLogin(db: Db, owned: LoginKey, accountId: string): Promise<void> {
  await loginOf(db, owned).update({ step: 'done', sealed_state: null, account_id: accountId });
}
