import type { Db, UserKey } from '../../lib/db.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import { type Consent, consentRow, type LastCall, lastCallRow, namedConsentRow, readableRow } from './schema.ts';

/**
 * The condition that a token may read a conversation `d`: groups one by one, and private ones if all of them were agreed to,
 * except those whose digests the person reserved for this server.
 * @param token its id, as a value or as SQL
 */
function isReadableBy(userId: string, token: string | Sql): Sql {
  return sql`d.unreadable is null and exists (
      select from assistant_consents c where c.user_id = ${userId} and c.grantee_id = ${token} and c.ended_at is null
        and (c.dialog_id = d.id or c.dialog_id is null and d.peer_type = 'user')
    ) and not (d.peer_type = 'user' and exists (
      select from writer_choices w where w.user_id = ${userId} and w.dialog_id = d.id and w.ended_at is null
        and w.writer = 'built-in'))`;
}

export type OfToken = { userId: string; tokenId: string };

/** The consents that are in effect. */
export async function listActiveConsents(db: Db, { userId, tokenId }: OfToken): Promise<Consent[]> {
  const rows = await db('assistant_consents').where({ user_id: userId, grantee_id: tokenId, ended_at: null });
  return rows.map(row => consentRow.parse(row));
}

/** How much each token may read, by its id. */
export async function countConsents(db: Db, { userId }: UserKey) {
  const rows = await sql`
    select grantee_id, bool_or(dialog_id is null) as is_private, count(dialog_id)::int as groups
    from assistant_consents where user_id = ${userId} and grantee_id is not null and ended_at is null group by grantee_id
  `.rows<{ grantee_id: string; is_private: boolean; groups: number }>(db);
  return new Map(rows.map(row => [row.grantee_id, { isPrivate: row.is_private, groups: row.groups }]));
}

/** Everything the user ever agreed to, newest first, with the names of groups. */
export async function listConsents(db: Db, { userId, limit }: { userId: string; limit: number }) {
  const rows = await db('assistant_consents as c')
    .leftJoin('dialogs as d', 'd.id', 'c.dialog_id')
    .where({ 'c.user_id': userId })
    .select('c.*', { dialog_name: 'd.peer_name' })
    .orderBy([{ column: 'c.agreed_at', order: 'desc' }, 'c.id'])
    .limit(limit);
  return rows.map(row => namedConsentRow.parse(row));
}

type NewConsent = { dialogId: string | null; assistant: string; wording: string; agreedAt: Date };

export async function insertConsents(db: Db, { userId, tokenId }: OfToken, consents: readonly NewConsent[]) {
  if (consents.length === 0) return;
  await db('assistant_consents').insert(
    consents.map(consent => ({ user_id: userId, ...consentRow.columns({ ...consent, tokenId }) })),
  );
}

export async function endConsents(db: Db, { userId, ids, now }: { userId: string; ids: readonly string[]; now: Date }) {
  await db('assistant_consents').where({ user_id: userId, ended_at: null }).whereIn('id', ids).update({ ended_at: now });
}

/** Ends the active consents of one token or, without `tokenId`, of all the user's tokens. */
export async function endConsentsOf(db: Db, { userId, tokenId, now }: { userId: string; tokenId?: string; now: Date }) {
  const activeConsents = db('assistant_consents').where({ user_id: userId, ended_at: null });
  await (tokenId ? activeConsents.where({ grantee_id: tokenId }) : activeConsents).update({ ended_at: now });
}

/**
 * The conversations that a token may read, by id. `leftOut`: how many other ones there are. It is the same for every question:
 * a number that depended on their words would let an assistant guess these one by one.
 */
export async function findReadableDialogs(db: Db, { userId, tokenId }: OfToken) {
  const all = await sql`
    select d.id, d.is_muted, ${isReadableBy(userId, tokenId)} as is_readable from dialogs d
    where d.user_id = ${userId} and d.unreadable is null
  `.read(db, readableRow);
  const readable = all.filter(({ isReadable }) => isReadable);
  const unmuted = readable.filter(({ isMuted }) => !isMuted);
  const leftOut = all.length - readable.length;
  return { among: readable.map(({ id }) => id), unmuted: unmuted.map(({ id }) => id), leftOut };
}

export async function findLastCall(db: Db, { userId }: UserKey): Promise<LastCall | undefined> {
  const [call] = await sql`
    select token.tool, token.at, (
      select count(*)::int from dialogs d where d.user_id = ${userId} and not (${isReadableBy(userId, sql`token.id`)})
        and exists (select from digests where user_id = ${userId} and dialog_id = d.id and summary <> '')
    ) as left_out
    from (
      select id, last_tool as tool, last_tool_at as at from api_tokens
      where user_id = ${userId} and last_tool is not null order by last_tool_at desc limit 1
    ) as token
  `.read(db, lastCallRow);
  return call;
}
