import { changedContact, newContact } from '../contacts.ts';
import { changedEngagement, newEngagement } from '../engagements.ts';
import type { CrmRecord, ObjectType } from '../records.ts';
import type { Creation } from './input.ts';
import type { Call } from './route.ts';

/** A record ready to be saved. Throws a Refusal. */
export function newRecord(world: Pick<Call, 'state' | 'portal'>, type: ObjectType, given: Creation): CrmRecord {
  if (type === 'contacts') return newContact(world, given.properties);
  return newEngagement(world, type, given.properties, given.associations);
}

/** The record with changed properties, ready to be saved. Throws a Refusal. */
export function changedRecord(
  world: Pick<Call, 'state' | 'portal'>,
  record: CrmRecord,
  given: Record<string, string>,
): CrmRecord {
  if (record.type === 'contacts') return changedContact(world, record, given);
  return changedEngagement(world, record.type, record, given);
}
