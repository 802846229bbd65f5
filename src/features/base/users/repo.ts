import { type Db, toColumns, type UserKey } from '../../../lib/db.ts';
import { sql } from '../../../lib/sql.ts';
import * as schema from './schema.ts';

/** The user with this email, created if there was none. `created` tells which. */
export async function findOrCreateUser(db: Db, email: string): Promise<{ user: schema.User; created: boolean }> {
  const inserted = await db('users').insert({ email }).onConflict('email').ignore().returning(['id', 'email', 'name']);
  if (inserted[0]) return { user: schema.userRow.parse(inserted[0]), created: true };
  const found = await db('users').where({ email }).first('id', 'email', 'name');
  return { user: schema.userRow.parse(found), created: false };
}

/** Gives the only user this address; does nothing if there are several users, or none. */
export async function moveOnlyUserTo(db: Db, email: string): Promise<void> {
  await db('users').whereNot({ email }).whereRaw('(select count(*) from users) = 1').update({ email });
}

export async function insertSession(
  db: Db,
  session: { id: string; userId: string; userAgent: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db('user_sessions').insert(toColumns({ ...session, lastSeenAt: session.createdAt }));
}

/** Part of each statement that admits a request of a user: records their promises as shown, since the answer may show them. */
export const RECORD_PROMISES_SHOWN = sql`mark_promises_seen(users.id)`;

/**
 * The session's user, recorded as having seen their promises. Undefined once the session has ended or expired. Every
 * request runs this, so each connection prepares it once, by name.
 */
export async function admitSession(
  db: Db,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<schema.StoredSession | undefined> {
  const [row] = await sql`
    select user_sessions.user_id, users.email, users.name, user_sessions.expires_at, user_sessions.last_seen_at,
      ${RECORD_PROMISES_SHOWN}
    from user_sessions join users on users.id = user_sessions.user_id
    where user_sessions.id = ${id} and user_sessions.user_id = ${userId} and user_sessions.expires_at > ${now}
  `.rows(db, 'session');
  return row === undefined ? undefined : schema.sessionRow.parse(row);
}

export async function extendSession(db: Db, session: { id: string; userId: string; expiresAt: Date }): Promise<void> {
  await db('user_sessions').where({ id: session.id, user_id: session.userId }).update({ expires_at: session.expiresAt });
}

/** Sessions that have not expired, most recently used first. */
export async function listDevices(db: Db, { userId, now }: { userId: string; now: Date }): Promise<schema.Device[]> {
  const rows = await db('user_sessions')
    .where({ user_id: userId })
    .where('expires_at', '>', now)
    .orderBy([
      { column: 'last_seen_at', order: 'desc' },
      { column: 'created_at', order: 'desc' },
    ]);
  return rows.map(row => schema.deviceRow.parse(row));
}

export async function setLastSeen(db: Db, session: { userId: string; id: string; now: Date }): Promise<void> {
  await db('user_sessions').where({ user_id: session.userId, id: session.id }).update({ last_seen_at: session.now });
}

/** False for an unknown one and for another user's. */
export async function deleteDevice(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  return (await db('user_sessions').where({ user_id: userId, id }).delete()) === 1;
}

/** Signs the person out everywhere at once, including here. Returns how many devices there were. */
export async function deleteAllDevices(db: Db, { userId }: UserKey): Promise<number> {
  return db('user_sessions').where({ user_id: userId }).delete();
}

export async function findEmail(db: Db, userId: string): Promise<string | undefined> {
  const row = await db('users').where({ id: userId }).first<{ email: string } | undefined>('email');
  return row?.email;
}

/** Sets the name that is shown from the next request on. @param name 1 to 100 characters */
export async function setName(db: Db, { userId, name }: { userId: string; name: string }): Promise<void> {
  await db('users').where({ id: userId }).update({ name });
}

export async function insertSignInToken(
  db: Db,
  token: { tokenHash: string; email: string; callbackUrl: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db('sign_in_tokens').insert(toColumns(token));
}

/**
 * Uses a valid token, and with it all others of its address. Undefined if it is not, or no longer, valid. Locks them in a
 * fixed order in one statement: of concurrent requests exactly one gets them.
 */
export async function claimSignInToken(
  db: Db,
  { tokenHash, now }: { tokenHash: string; now: Date },
): Promise<schema.SignInToken | undefined> {
  const claimed = await sql`
    with ended as (
      select token_hash from sign_in_tokens
      where used_at is null and email = (
        select email from sign_in_tokens where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
      )
      order by token_hash
      for update
    )
    update sign_in_tokens set used_at = ${now}
    from ended where sign_in_tokens.token_hash = ended.token_hash
    returning sign_in_tokens.*
  `.read(db, schema.signInTokenRow);
  return claimed.find(token => token.tokenHash === tokenHash);
}

export async function findSignInToken(db: Db, tokenHash: string): Promise<schema.SignInToken | undefined> {
  const row = await db('sign_in_tokens').where({ token_hash: tokenHash }).first();
  return row && schema.signInTokenRow.parse(row);
}

/** Deletes the links of a deleted account: they belong to its address, not to a user. Returns how many. */
export async function deleteSignInTokensOf(db: Db, email: string): Promise<number> {
  return db('sign_in_tokens').where({ email }).delete();
}
