import { searchablePhone } from './phones.ts';
import type { CrmRecord } from './records.ts';
import { invalid, notFound, Refusal } from './refusals.ts';
import { type CrmState, findRecord, livingRecords, type Portal } from './state.ts';
import { readValues } from './values.ts';

type World = { state: CrmState; portal: Portal };

/** Properties the vendor calculates from others. */
const CALCULATED = [
  ['phone', 'hs_searchable_calculated_phone_number'],
  ['mobilephone', 'hs_searchable_calculated_mobile_number'],
] as const;

/** A contact ready to be saved. Throws a Refusal: 409 when the email address is another's. */
export function newContact({ state, portal }: World, given: Record<string, string>): CrmRecord {
  const values = readValues(portal, 'contacts', given);
  const now = state.now();
  const record: CrmRecord = {
    portalId: portal.id,
    type: 'contacts',
    id: '',
    properties: {},
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    mergedInto: null,
    contactIds: [],
  };
  requireFree(portal, record, values);
  return withValues({ ...record, id: state.nextId() }, values, now);
}

/** The contact with changed properties. Throws a Refusal. */
export function changedContact({ state, portal }: World, contact: CrmRecord, given: Record<string, string>): CrmRecord {
  const values = readValues(portal, 'contacts', given);
  requireFree(portal, contact, values);
  return withValues(contact, values, state.now());
}

/** The contact with its properties and what is calculated from them; '' removes one. */
export function withValues(contact: CrmRecord, values: Record<string, string>, now: number): CrmRecord {
  const all: Record<string, string> = { ...contact.properties, ...values };
  for (const [from, to] of CALCULATED) all[to] = searchablePhone(all[from] ?? '');
  const kept = Object.entries(all).filter(([, value]) => value !== '');
  return { ...contact, properties: Object.fromEntries(kept), updatedAt: now };
}

/** Finds a contact by a unique property: its id, an email address, or a custom property defined as unique. */
export function findContactBy(portal: Portal, idProperty: string, value: string): CrmRecord | undefined {
  if (idProperty === 'hs_object_id') return findRecord(portal, 'contacts', value);
  const wanted = value.trim().toLowerCase();
  if (idProperty === 'email') return livingRecords(portal, 'contacts').find(contact => emailsOf(contact).includes(wanted));
  if (!portal.properties.contacts.get(idProperty)?.hasUniqueValue) {
    throw invalid(`Property ${idProperty} is not a unique property`);
  }
  return livingRecords(portal, 'contacts').find(contact => contact.properties[idProperty]?.toLowerCase() === wanted);
}

function emailsOf({ properties }: CrmRecord): string[] {
  return [properties.email, ...(properties.hs_additional_emails?.split(';') ?? [])].flatMap(email => email || []);
}

function requireFree(portal: Portal, contact: CrmRecord, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) {
    const isUnique = name === 'email' || portal.properties.contacts.get(name)?.hasUniqueValue;
    if (!isUnique || value === '') continue;
    const owner = findContactBy(portal, name, value);
    if (owner && owner.id !== contact.id) throw name === 'email' ? emailTaken(owner) : valueTaken(contact, owner, name);
  }
}

function emailTaken(owner: CrmRecord): Refusal {
  return new Refusal(409, { message: `Contact already exists. Existing ID: ${owner.id}`, category: 'CONFLICT' });
}

function valueTaken(contact: CrmRecord, owner: CrmRecord, name: string): Refusal {
  const where = `portalId=${owner.portalId}, objectTypeId=ObjectTypeId{legacyObjectType=CONTACT}, propertyName=${name}`;
  const message = `Cannot set PropertyValueCoordinates{${where}} on ${contact.id || 'null-id'}. ${owner.id} already has that value.`;
  return invalid(message, { errors: [{ message, code: 'CONFLICTING_UNIQUE_VALUE', context: { propertyName: [name] } }] });
}

/**
 * Merges two contacts into one with a new id. Where both have a value the first one's is kept; their notes and tasks
 * move along. Returns every changed record, the new one first.
 */
export function mergedContacts({ state, portal }: World, primaryId: string, otherId: string): CrmRecord[] {
  const primary = findRecord(portal, 'contacts', primaryId);
  const other = findRecord(portal, 'contacts', otherId);
  if (!primary || !other) throw notFound();
  if (primary.id === other.id) throw invalid('A record cannot be merged with itself.');
  const now = state.now();
  const created = { ...primary, id: state.nextId(), createdAt: Math.min(primary.createdAt, other.createdAt) };
  const survivor = withValues(created, mergedValues(primary, other), now);
  const gone = [primary, other].map(contact => ({ ...contact, archivedAt: now, mergedInto: survivor.id }));
  const moved = [...livingRecords(portal, 'notes'), ...livingRecords(portal, 'tasks')]
    .filter(({ contactIds }) => contactIds.includes(primary.id) || contactIds.includes(other.id))
    .map(record => ({ ...record, contactIds: movedIds(record.contactIds, [primary.id, other.id], survivor.id) }));
  return [survivor, ...gone, ...moved];
}

function mergedValues(primary: CrmRecord, other: CrmRecord): Record<string, string> {
  const email = primary.properties.email ?? other.properties.email ?? '';
  const emails = [...emailsOf(primary), ...emailsOf(other)].filter(each => each !== email);
  const ids = [primary, other].flatMap(({ id, properties }) => [...(properties.hs_merged_object_ids?.split(';') ?? []), id]);
  return {
    ...other.properties,
    ...primary.properties,
    email,
    hs_additional_emails: [...new Set(emails)].join(';'),
    hs_merged_object_ids: ids.join(';'),
  };
}

function movedIds(ids: string[], from: string[], to: string): string[] {
  return [...new Set(ids.map(id => (from.includes(id) ? to : id)))];
}
