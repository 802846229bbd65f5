import { requireAssociable, requireComplete } from '../administration.ts';
import { changedContact, newContact } from '../contacts.ts';
import { changedEngagement, newEngagement } from '../engagements.ts';
import type { CrmRecord, ObjectType } from '../records.ts';
import type { Creation } from './input.ts';
import type { Call } from './route.ts';

type Writing = Pick<Call, 'state' | 'portal' | 'isValidated' | 'isPersonal'>;

/** A record ready to be saved. Throws a Refusal. */
export function newRecord(call: Writing, type: ObjectType, given: Creation): CrmRecord {
  if (call.isValidated && call.isPersonal && given.associations.length > 0) requireAssociable(call.portal);
  const record =
    type === 'contacts'
      ? newContact(call, given.properties)
      : newEngagement(call, type, given.properties, given.associations);
  if (call.isValidated) requireComplete(call.portal, record, { isNew: true });
  return record;
}

/** The record with changed properties, ready to be saved. Throws a Refusal. */
export function changedRecord(call: Writing, record: CrmRecord, given: Record<string, string>): CrmRecord {
  const changed =
    record.type === 'contacts' ? changedContact(call, record, given) : changedEngagement(call, record.type, record, given);
  if (call.isValidated) requireComplete(call.portal, changed, { isNew: false });
  return changed;
}
