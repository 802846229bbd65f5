import type { CrmRecord, ObjectType } from './records.ts';
import { invalid, Refusal } from './refusals.ts';
import { type CrmState, findRecord, livingRecords, type Portal } from './state.ts';
import { readValues } from './values.ts';

type World = { state: CrmState; portal: Portal };
export type EngagementType = Exclude<ObjectType, 'contacts'>;
export type Association = {
  to: { id: string };
  types: { associationCategory: string; associationTypeId: number }[];
};

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
  const values = readValues(portal, type, given);
  if (!values.hs_timestamp) {
    throw invalid(`Error creating ${type === 'notes' ? 'NOTE' : 'TASK'}. Some required properties were not set.`, {
      errors: [
        { message: 'hs_timestamp is required', code: 'REQUIRED_FIELD', context: { properties: ['hs_timestamp'] } },
      ],
    });
  }
  const contactIds = associations.map(association => associatedContact(portal, type, association));
  const now = state.now();
  return {
    ...{ portalId: portal.id, type, id: state.nextId(), properties: withoutEmpty(values) },
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
  const values = { ...record.properties, ...readValues(portal, type, given) };
  return { ...record, properties: withoutEmpty(values), updatedAt: state.now() };
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
