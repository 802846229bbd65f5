import { type Db, deleteOlder, type Sweep } from '../../../lib/db.ts';
import { toColumns } from '../../../lib/rows.ts';
import { type SignInToken, signInTokenRow } from './schema.ts';

export async function insertSignInToken(
  db: Db,
  token: { tokenHash: string; email: string; callbackUrl: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db('sign_in_tokens').insert(toColumns(token));
}

/** One statement that locks rows in a fixed order: of concurrent requests, one gets them all, the others none. */
const CLAIM = `
  with ended as (
    select token_hash from sign_in_tokens
    where used_at is null and email = (
      select email from sign_in_tokens where token_hash = :tokenHash and used_at is null and expires_at > :now
    )
    order by token_hash
    for update
  )
  update sign_in_tokens set used_at = :now
  from ended where sign_in_tokens.token_hash = ended.token_hash
  returning sign_in_tokens.*`;

/** Uses a valid token, and with it all others of its address. Undefined if it is not, or no longer, valid. */
export async function claimSignInToken(
  db: Db,
  about: { tokenHash: string; now: Date },
): Promise<SignInToken | undefined> {
  const { rows } = await db.raw<{ rows: unknown[] }>(CLAIM, about);
  return rows.map(row => signInTokenRow.parse(row)).find(({ tokenHash }) => tokenHash === about.tokenHash);
}

export async function findSignInToken(db: Db, tokenHash: string): Promise<SignInToken | undefined> {
  const row = await db('sign_in_tokens').where({ token_hash: tokenHash }).first();
  return row && signInTokenRow.parse(row);
}

/** Deletes the links of a deleted account: they belong to its address, not to a user. Returns how many. */
export async function deleteSignInTokensOf(db: Db, email: string): Promise<number> {
  return db('sign_in_tokens').where({ email }).delete();
}

/** Used and expired tokens are kept for a while, so that such a link explains why it doesn't work. @returns how many */
export async function deleteSignInTokensBefore(db: Db, sweep: Sweep): Promise<number> {
  return deleteOlder(db, 'sign_in_tokens', { key: ['token_hash'], column: 'created_at' }, sweep);
}
