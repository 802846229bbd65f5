import type { CrmAccount, CrmObject, RequiredProperty } from '../../clients/crm/types.ts';
import { type Db, toColumns, toStorableJson } from '../../lib/db.ts';
import { sql } from '../../lib/sql.ts';
import {
  type CrmConnection,
  connectionRow,
  NO_CONNECTION,
  type Requirement,
  type RequirementKey,
  requirementRow,
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

/** Reads and locks the connection: no other process connects or disconnects until the transaction ends. */
export async function lockConnection(db: Db, userId: string): Promise<CrmConnection> {
  await db('crm_connections').insert({ user_id: userId }).onConflict('user_id').ignore();
  const row = await db('crm_connections').where({ user_id: userId }).forUpdate().first();
  return connectionRow.parse(row);
}

/** The sealed tokens; undefined unless the connection is active. */
export async function findTokens(db: Db, userId: string): Promise<SealedTokens | undefined> {
  const row = await db('crm_connections').where({ user_id: userId, status: 'active' }).first();
  return row && sealedTokensRow.parse(row);
}

const NO_TOKENS = { credentials: null, expires_at: null };

type Activation = { account: CrmAccount; credentials: string; expiresAt: Date; now: Date };

export async function activateConnection(db: Db, userId: string, { account, ...tokens }: Activation): Promise<void> {
  await db('crm_connections')
    .where({ user_id: userId })
    .update({
      status: 'active',
      portal_id: account.portalId,
      portal_name: account.name,
      credentials: tokens.credentials,
      expires_at: tokens.expiresAt,
      properties_ready: false,
      connected_at: tokens.now,
    });
}

export async function setPropertiesReady(db: Db, { userId, portalId }: Portal): Promise<void> {
  await db('crm_connections').where({ user_id: userId, portal_id: portalId }).update({ properties_ready: true });
}

/** Creates the row if there is none: what may be written can be chosen before the CRM is connected. */
export async function setSwitches(db: Db, userId: string, switches: Partial<Switches>): Promise<CrmConnection> {
  const columns = toColumns(switches);
  const [row] = await db('crm_connections')
    .insert({ user_id: userId, ...columns })
    .onConflict('user_id')
    .merge({ user_id: userId, ...columns })
    .returning('*');
  return connectionRow.parse(row);
}

/** Wipes the tokens; which account it was stays known, so that connecting it again keeps the matches. */
export async function wipeTokens(db: Db, userId: string): Promise<void> {
  await db('crm_connections')
    .where({ user_id: userId })
    .update({ status: 'disconnected', ...NO_TOKENS });
}

/** An active connection, as long as its sealed tokens are these. */
type Tokens = { userId: string; credentials: string };

const withTokens = (db: Db, { userId, credentials }: Tokens) =>
  db('crm_connections').where({ user_id: userId, status: 'active', credentials });

/** False when the connection ended, or was replaced, while the tokens were being fetched. */
export async function saveRefreshed(db: Db, old: Tokens, tokens: { credentials: string; expiresAt: Date }) {
  return (await withTokens(db, old).update(toColumns(tokens))) === 1;
}

/** Marks the connection expired. False if it is no longer active with these tokens. */
export async function markExpired(db: Db, old: Tokens): Promise<boolean> {
  return (await withTokens(db, old).update({ status: 'expired', ...NO_TOKENS })) === 1;
}

export type Portal = { userId: string; portalId: string };

const requirementsOf = (db: Db, { userId, portalId }: Portal) =>
  db('crm_requirements').where({ user_id: userId, portal_id: portalId });

export async function listRequirementsOf(db: Db, account: Portal, type: CrmObject): Promise<Requirement[]> {
  const rows = await requirementsOf(db, account).where({ object_type: type }).orderBy('name');
  return rows.map(row => requirementRow.parse(row));
}

/** Keeps the known label and options if the CRM did not report them again; a value stays, too. */
export async function insertRequirements(
  db: Db,
  { userId, portalId }: Portal,
  { type, properties, now }: { type: CrmObject; properties: readonly RequiredProperty[]; now: Date },
): Promise<void> {
  await sql`
    insert into crm_requirements as known
      (user_id, portal_id, object_type, name, label, options, may_fill, is_conditional, is_refused, noticed_at)
    select ${userId}, ${portalId}, ${type}, p.name, p.label, p.options, p."mayFill", p."isConditional", p."isRefused", ${now}
    from jsonb_to_recordset(${toStorableJson(properties)}::jsonb)
      as p (name text, label text, options jsonb, "mayFill" boolean, "isConditional" boolean, "isRefused" boolean)
    on conflict (user_id, portal_id, object_type, name) do update set
      label = case when excluded.label = '' then known.label else excluded.label end,
      options = case when excluded.label = '' then known.options else excluded.options end,
      may_fill = known.may_fill and excluded.may_fill, is_conditional = excluded.is_conditional,
      is_refused = excluded.is_refused, noticed_at = excluded.noticed_at
  `.rows(db);
}

/** The CRM accepted a record with these properties: those it lacked are no longer required, and its values are good. */
export async function releaseRequirements(
  db: Db,
  account: Portal,
  { type, sent }: { type: CrmObject; sent: readonly string[] },
): Promise<void> {
  await requirementsOf(db, account)
    .where({ object_type: type, value: '', is_conditional: false })
    .whereNotIn('name', [...sent])
    .delete();
  await requirementsOf(db, account)
    .where({ object_type: type, is_refused: true })
    .whereNot({ value: '' })
    .whereIn('name', [...sent])
    .update({ is_refused: false });
}

/** False if there is no such requirement, or if no single value can satisfy it. */
export async function setValue(db: Db, account: Portal, { type, name, value }: RequirementKey & { value: string }) {
  const key = { object_type: type, name, may_fill: true };
  return (await requirementsOf(db, account).where(key).update({ value, is_refused: false })) === 1;
}

export async function deleteRequirement(db: Db, account: Portal, { type, name }: RequirementKey): Promise<void> {
  await requirementsOf(db, account).where({ object_type: type, name }).delete();
}
