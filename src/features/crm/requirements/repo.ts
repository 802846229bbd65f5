import type { CrmObject, RequiredProperty } from '../../../clients/crm/types.ts';
import type { Db } from '../../../lib/db.ts';
import { asJson } from '../../../lib/rows.ts';
import { type Requirement, type RequirementKey, requirementRow } from './schema.ts';

export type Account = { userId: string; portalId: string };

const rowsOf = (db: Db, { userId, portalId }: Account) =>
  db('crm_requirements').where({ user_id: userId, portal_id: portalId });

export async function listRequirementsOf(db: Db, account: Account, type: CrmObject): Promise<Requirement[]> {
  const rows = await rowsOf(db, account).where({ object_type: type }).orderBy('name');
  return rows.map(row => requirementRow.parse(row));
}

/** Keeps the known label and options if the CRM did not report them again; a value stays, too. */
export async function insertRequirements(
  db: Db,
  { userId, portalId }: Account,
  { type, properties, now }: { type: CrmObject; properties: readonly RequiredProperty[]; now: Date },
): Promise<void> {
  await db.raw(
    `
    insert into crm_requirements as known
      (user_id, portal_id, object_type, name, label, options, may_fill, is_conditional, is_refused, noticed_at)
    select :userId, :portalId, :type, p.name, p.label, p.options, p."mayFill", p."isConditional", p."isRefused", :now
    from jsonb_to_recordset(:rows::jsonb)
      as p (name text, label text, options jsonb, "mayFill" boolean, "isConditional" boolean, "isRefused" boolean)
    on conflict (user_id, portal_id, object_type, name) do update set
      label = case when excluded.label = '' then known.label else excluded.label end,
      options = case when excluded.label = '' then known.options else excluded.options end,
      may_fill = known.may_fill and excluded.may_fill, is_conditional = excluded.is_conditional,
      is_refused = excluded.is_refused, noticed_at = excluded.noticed_at
    `,
    { userId, portalId, type, now, rows: asJson(properties) },
  );
}

/** The CRM accepted a record with these properties: those it lacked are no longer required, and its values are good. */
export async function releaseRequirements(
  db: Db,
  account: Account,
  { type, sent }: { type: CrmObject; sent: readonly string[] },
): Promise<void> {
  await rowsOf(db, account)
    .where({ object_type: type, value: '', is_conditional: false })
    .whereNotIn('name', [...sent])
    .delete();
  await rowsOf(db, account)
    .where({ object_type: type, is_refused: true })
    .whereNot({ value: '' })
    .whereIn('name', [...sent])
    .update({ is_refused: false });
}

/** False if there is no such requirement, or if no single value can satisfy it. */
export async function setValue(
  db: Db,
  account: Account,
  { type, name, value }: RequirementKey & { value: string },
): Promise<boolean> {
  const key = { object_type: type, name, may_fill: true };
  return (await rowsOf(db, account).where(key).update({ value, is_refused: false })) === 1;
}

export async function deleteRequirement(db: Db, account: Account, { type, name }: RequirementKey): Promise<void> {
  await rowsOf(db, account).where({ object_type: type, name }).delete();
}
