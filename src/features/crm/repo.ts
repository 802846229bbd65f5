import type { CrmAccount } from '../../clients/crm/types.ts';
import type { Db } from '../../lib/db.ts';
import { toColumns } from '../../lib/rows.ts';
import {
  type CrmConnection,
  connectionRow,
  NO_CONNECTION,
  type SealedTokens,
  type Switches,
  sealedTokensRow,
} from './schema.ts';

const REQUIREMENTS = `(
  select json_agg(required order by required.object_type, required.label, required.name) from crm_requirements required
  where required.user_id = crm_connections.user_id and required.portal_id = crm_connections.portal_id) as requirements`;

/** A user without a row counts as disconnected. */
export async function getConnection(db: Db, userId: string): Promise<CrmConnection> {
  const row = await db('crm_connections').where({ user_id: userId }).first('*', db.raw(REQUIREMENTS));
  return row ? connectionRow.parse(row) : { ...NO_CONNECTION };
}

/** The same, locked: no other process connects or disconnects until the transaction ends. */
export async function lockConnection(db: Db, userId: string): Promise<CrmConnection> {
  await db('crm_connections').insert({ user_id: userId }).onConflict('user_id').ignore();
  const row = await db('crm_connections').where({ user_id: userId }).forUpdate().first();
  return connectionRow.parse(row);
}

/** Only of an active connection. */
export async function findTokens(db: Db, userId: string): Promise<SealedTokens | undefined> {
  const row = await db('crm_connections').where({ user_id: userId, status: 'active' }).first();
  return row && sealedTokensRow.parse(row);
}

type Activation = { account: CrmAccount; credentials: string; expiresAt: Date; now: Date };

export async function activate(db: Db, userId: string, { account, ...tokens }: Activation): Promise<void> {
  await db('crm_connections').where({ user_id: userId }).update({
    status: 'active',
    portal_id: account.portalId,
    portal_name: account.name,
    credentials: tokens.credentials,
    expires_at: tokens.expiresAt,
    refresh_owner: null,
    refresh_until: null,
    properties_ready: false,
    connected_at: tokens.now,
  });
}

export async function setPropertiesReady(db: Db, about: { userId: string; portalId: string }): Promise<void> {
  await db('crm_connections')
    .where({ user_id: about.userId, portal_id: about.portalId })
    .update({ properties_ready: true });
}

/** Creates the row if there is none: what may be written can be chosen before the CRM is connected. */
export async function setSwitches(db: Db, userId: string, switches: Partial<Switches>): Promise<CrmConnection> {
  const given = toColumns(switches);
  const [row] = await db('crm_connections')
    .insert({ user_id: userId, ...given })
    .onConflict('user_id')
    .merge({ user_id: userId, ...given })
    .returning('*');
  return connectionRow.parse(row);
}

/** Wipes the tokens; which account it was stays known, so that connecting it again keeps the matches. */
export async function disconnect(db: Db, userId: string): Promise<void> {
  await db('crm_connections').where({ user_id: userId }).update({
    status: 'disconnected',
    credentials: null,
    expires_at: null,
    refresh_owner: null,
    refresh_until: null,
  });
}

type Claim = { userId: string; refreshOwner: string };

/**
 * Claims the refresh of exactly these tokens for `seconds`. False when another process has it, or when the tokens have
 * changed meanwhile.
 */
export async function claimRefresh(db: Db, claim: Claim & { credentials: string; seconds: number }): Promise<boolean> {
  const claimed = await db('crm_connections')
    .where({ user_id: claim.userId, status: 'active', credentials: claim.credentials })
    .where(free => free.whereNull('refresh_until').orWhere('refresh_until', '<', db.raw('clock_timestamp()')))
    .update({
      refresh_owner: claim.refreshOwner,
      refresh_until: db.raw(`clock_timestamp() + ? * interval '1 second'`, [claim.seconds]),
    });
  return claimed === 1;
}

/** False when the connection ended, or was replaced, while the tokens were being fetched. */
export async function saveRefreshed(
  db: Db,
  { userId, refreshOwner }: Claim,
  tokens: { credentials: string; expiresAt: Date },
): Promise<boolean> {
  const saved = await db('crm_connections')
    .where({ user_id: userId, status: 'active', refresh_owner: refreshOwner })
    .update({
      credentials: tokens.credentials,
      expires_at: tokens.expiresAt,
      refresh_owner: null,
      refresh_until: null,
    });
  return saved === 1;
}

export async function releaseRefresh(db: Db, { userId, refreshOwner }: Claim): Promise<void> {
  await db('crm_connections')
    .where({ user_id: userId, refresh_owner: refreshOwner })
    .update({ refresh_owner: null, refresh_until: null });
}

/** The CRM no longer accepts these tokens. False when that is known already or no longer so. */
export async function markExpired(db: Db, { userId, refreshOwner }: Claim): Promise<boolean> {
  const ended = await db('crm_connections')
    .where({ user_id: userId, status: 'active', refresh_owner: refreshOwner })
    .update({ status: 'expired', credentials: null, expires_at: null, refresh_owner: null, refresh_until: null });
  return ended === 1;
}

/** Of all users: only for sealing them with another key. */
export async function listCredentialsOfAllUsers(db: Db): Promise<{ userId: string; credentials: string }[]> {
  return db('crm_connections').whereNotNull('credentials').select('user_id as userId', 'credentials');
}

/** Unless they were changed meanwhile. */
export async function replaceCredentials(
  db: Db,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db('crm_connections').where({ user_id: userId, credentials: from }).update({ credentials: to });
}
