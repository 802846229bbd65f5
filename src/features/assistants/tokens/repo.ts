import { type Db, toColumns, type UserKey } from '../../../lib/db.ts';
import { rawSql, sql } from '../../../lib/sql.ts';
import { RECORD_PROMISES_SHOWN } from '../../base/users/repo.ts';
import { bearerRow, TOKEN_COLUMNS, type Token, tokenRow, type UsesOfHour } from './schema.ts';

const BEARER_COLUMNS = rawSql(TOKEN_COLUMNS.map(column => `api_tokens.${column}`).join(', '));

/**
 * Over all users. Records that the token’s user is shown their promises. Undefined for an unknown, revoked or expired one.
 * Each connection prepares this once, by name.
 */
export async function admitBearerOfAllUsers(db: Db, { tokenHash, now }: { tokenHash: string; now: Date }) {
  const [row] = await sql`
    select ${BEARER_COLUMNS}, users.email, users.name as owner_name, ${RECORD_PROMISES_SHOWN}
    from api_tokens join users on users.id = api_tokens.user_id
    where api_tokens.token_hash = ${tokenHash} and (api_tokens.expires_at is null or api_tokens.expires_at > ${now})
  `.rows(db, 'bearer');
  return row === undefined ? undefined : bearerRow.parse(row);
}

/** Newest first. */
export async function listTokens(db: Db, { userId }: UserKey): Promise<Token[]> {
  const rows = await db('api_tokens').where({ user_id: userId }).orderBy('created_at', 'desc').select(TOKEN_COLUMNS);
  return rows.map(row => tokenRow.parse(row));
}

/**
 * Undefined for unknown tokens and other users'.
 * @param lock prevents deletion and changes until the transaction ends
 */
export async function findToken(
  db: Db,
  { userId, id }: { userId: string; id: string },
  lock?: 'forKeyShare' | 'forUpdate',
): Promise<Token | undefined> {
  const token = db('api_tokens').where({ user_id: userId, id });
  const row = await (lock ? token[lock]() : token).first(TOKEN_COLUMNS);
  return row && tokenRow.parse(row);
}

type UsesOfToken = { userId: string; id: string; uses: UsesOfHour[]; tool: { name: string; at: Date } | undefined };

/** Stores the hourly uses of a token and, unless it is undefined, the tool that was called last. */
export async function storeTokenUses(db: Db, { userId, id, uses, tool }: UsesOfToken): Promise<void> {
  const called = tool && { last_tool: tool.name, last_tool_at: tool.at };
  await db('api_tokens')
    .where({ user_id: userId, id })
    .update({ uses: JSON.stringify(uses), ...called });
}

export async function countTokens(db: Db, { userId }: UserKey): Promise<number> {
  const [row] = await db('api_tokens').where({ user_id: userId }).count({ count: '*' });
  return Number(row?.count);
}

type NewToken = Omit<Token, 'lastUsedAt' | 'uses' | 'lastTool' | 'lastToolAt'>;

/** Stores a token. False if there is one with this id already. */
export async function insertToken(db: Db, { userId, ...token }: NewToken & { tokenHash: string }): Promise<boolean> {
  const row = { user_id: userId, ...toColumns(token) };
  return (await db('api_tokens').insert(row).onConflict('id').ignore().returning('id')).length === 1;
}

export async function setLastUsed(db: Db, { userId, id, now }: { userId: string; id: string; now: Date }) {
  await db('api_tokens').where({ user_id: userId, id }).update({ last_used_at: now });
}

/** Deletes a token. False for an unknown one and for another user's. */
export async function deleteToken(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  return (await db('api_tokens').where({ user_id: userId, id }).delete()) === 1;
}

export async function deleteAllTokens(db: Db, { userId }: UserKey): Promise<number> {
  return db('api_tokens').where({ user_id: userId }).delete();
}
