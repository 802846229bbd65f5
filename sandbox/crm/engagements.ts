import type { CrmRecord, ObjectType } from './records.ts';
import { invalid, invalidProperty, Refusal } from './refusals.ts';
import { type CrmState, findRecord, livingRecords, type Portal } from './state.ts';
import { readValues } from './values.ts';

type World = { state: CrmState; portal: Portal };
export type EngagementType = Exclude<ObjectType, 'contacts'>;
export type Association = { to: { id: string }; types: { associationCategory: string; associationTypeId: number }[] };

/** https://developers.hubspot.com/docs/api-reference/crm-associations-v4/guide */
export const ASSOCIATION_TYPES = {
  notes: { toContact: 202, fromContact: 201 },
  tasks: { toContact: 204, fromContact: 203 },
} as const;

/** A note or task ready to be saved. Throws a Refusal. */
export function newEngagement(
  { state, portal }: World,
  type: EngagementType,
  given: Record<string, string>,
  associations: readonly Association[],
): CrmRecord {
  const values = { ...DEFAULTS[type], ...readValues(portal, type, given) };
  requireTime(type, values);
  requireOwner(state, values);
  const contactIds = associations.map(association => associatedContact(portal, type, association));
  const now = state.now();
  return {
    ...{ portalId: portal.id, type, id: state.nextId(), properties: withCompletion({}, withoutEmpty(values), now) },
    ...{ createdAt: now, updatedAt: now, archivedAt: null, mergedInto: null },
    contactIds: [...new Set(contactIds)],
  };
}

/** The note or task with changed properties. Throws a Refusal. */
export function changedEngagement(
  { state, portal }: World,
  type: EngagementType,
  record: CrmRecord,
  given: Record<string, string>,
): CrmRecord {
  const changes = readValues(portal, type, given);
  const values = { ...record.properties, ...changes };
  requireTime(type, values);
  requireOwner(state, changes);
  const now = state.now();
  return { ...record, properties: withCompletion(record.properties, withoutEmpty(values), now), updatedAt: now };
}

/** What the CRM fills in for a task that leaves it out. */
const DEFAULTS: Record<EngagementType, Record<string, string>> = {
  notes: {},
  tasks: { hs_task_status: 'NOT_STARTED', hs_task_priority: 'NONE', hs_task_type: 'TODO' },
};

/** https://developers.hubspot.com/docs/api-reference/latest/crm/activities/tasks/guide */
function requireTime(type: EngagementType, values: Record<string, string>): void {
  if (values.hs_timestamp) return;
  throw invalid(`Error creating ${type === 'notes' ? 'NOTE' : 'TASK'}. Some required properties were not set.`, {
    errors: [{ message: 'hs_timestamp is required', code: 'REQUIRED_FIELD', context: { properties: ['hs_timestamp'] } }],
  });
}

/** A contact may keep an owner who has since been deactivated; nothing new can be assigned to them. */
function requireOwner({ owners }: CrmState, { hubspot_owner_id: owner }: Record<string, string>): void {
  if (!owner || !owners || owners.has(owner)) return;
  throw invalidProperty('hubspot_owner_id', 'INVALID_OWNER_ID', `${owner} is not a valid owner ID`);
}

/** The CRM itself records when a task was completed. */
function withCompletion(before: Record<string, string>, after: Record<string, string>, now: number) {
  const { hs_task_completion_date: _, ...others } = after;
  if (after.hs_task_status !== 'COMPLETED') return others;
  const completedBefore = before.hs_task_status === 'COMPLETED' ? before.hs_task_completion_date : undefined;
  return { ...others, hs_task_completion_date: completedBefore ?? new Date(now).toISOString() };
}

/** Records that are not archived, oldest first. */
export function engagementsOf(portal: Portal, type: EngagementType, contactId: string): CrmRecord[] {
  return livingRecords(portal, type).filter(({ contactIds }) => contactIds.includes(contactId));
}

function associatedContact(portal: Portal, type: EngagementType, { to, types }: Association): string {
  const wanted = ASSOCIATION_TYPES[type].toContact;
  const isKnown = types.some(
    ({ associationCategory, associationTypeId }) =>
      associationCategory === 'HUBSPOT_DEFINED' && associationTypeId === wanted,
  );
  if (!isKnown) throw invalid(`No association type of these exists from ${type} to contacts.`);
  const contact = findRecord(portal, 'contacts', to.id);
  if (contact) return contact.id;
  const message = `The contact ${to.id} does not exist.`;
  throw new Refusal(400, { message, category: 'OBJECT_NOT_FOUND', context: { id: [to.id] } });
}

function withoutEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
