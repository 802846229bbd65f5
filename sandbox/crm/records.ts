import { z } from 'zod';

export const OBJECT_TYPES = ['contacts', 'notes', 'tasks'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

/** A record, archived ones included. All times in Unix milliseconds. */
const crmRecordSchema = z.object({
  portalId: z.string(),
  type: z.enum(OBJECT_TYPES),
  id: z.string(),
  /** Only those that have a value. */
  properties: z.record(z.string(), z.string()),
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.number().nullable(),
  /** The record this one was merged into. */
  mergedInto: z.string().nullable(),
  /** The contacts a note or task is about. */
  contactIds: z.array(z.string()),
});
export type CrmRecord = z.output<typeof crmRecordSchema>;

/** A property's value, undefined when it has none. Times as ISO 8601. */
export function propertyOf(record: CrmRecord, property: string): string | undefined {
  switch (property) {
    case 'hs_object_id':
      return record.id;
    case 'createdate':
    case 'hs_createdate':
      return new Date(record.createdAt).toISOString();
    case 'lastmodifieddate':
    case 'hs_lastmodifieddate':
      return new Date(record.updatedAt).toISOString();
    default:
      return record.properties[property];
  }
}

export const propertySchema = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(['string', 'number', 'date', 'datetime', 'enumeration', 'bool', 'phone_number']),
  fieldType: z.string(),
  groupName: z.string(),
  description: z.string(),
  options: z.array(z.object({ label: z.string(), value: z.string() })),
  hasUniqueValue: z.boolean(),
  isReadOnly: z.boolean(),
});
export type Property = z.output<typeof propertySchema>;

const propertyGroupSchema = z.object({ name: z.string(), label: z.string() });
export type PropertyGroup = z.output<typeof propertyGroupSchema>;

const requirementSchema = z.object({
  type: z.enum(OBJECT_TYPES),
  name: z.string(),
  /** Required of every record in which another property has this value; without it, of every new record. */
  when: z.object({ property: z.string(), value: z.string() }).nullable(),
});
export type Requirement = z.output<typeof requirementSchema>;

/** What an administrator of the account requires of everyone who writes to it. */
const rulesSchema = z.object({
  required: z.array(requirementSchema),
  /** The person who connected the app may not edit associations. */
  refusesAssociations: z.boolean(),
});
export type Rules = z.output<typeof rulesSchema>;

/** What a person allowed an app to do, until it is revoked. */
const grantSchema = z.object({
  refreshToken: z.string(),
  clientId: z.string(),
  portalId: z.string(),
  scopes: z.array(z.string()),
  isRevoked: z.boolean(),
  accessTokens: z.array(z.object({ token: z.string(), expiresAt: z.number() })),
});
export type Grant = z.output<typeof grantSchema>;

const about = { portalId: z.string() };

/** A service key, or a private app's token: one account, no person. */
const keySchema = z.object({ token: z.string(), portalId: z.string(), scopes: z.array(z.string()), isRevoked: z.boolean() });
export type AccountKey = z.output<typeof keySchema>;

export const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('portal'), ...about, name: z.string() }),
  z.object({ kind: z.literal('record'), record: crmRecordSchema }),
  z.object({ kind: z.literal('property'), ...about, type: z.enum(OBJECT_TYPES), property: propertySchema }),
  z.object({ kind: z.literal('group'), ...about, type: z.enum(OBJECT_TYPES), group: propertyGroupSchema }),
  z.object({ kind: z.literal('rules'), ...about, rules: rulesSchema }),
  z.object({ kind: z.literal('grant'), grant: grantSchema }),
  z.object({ kind: z.literal('key'), key: keySchema }),
]);
export type Entry = z.output<typeof entrySchema>;

export function keyOfEntry(entry: Entry): string {
  if (entry.kind === 'record') return `record ${entry.record.portalId} ${entry.record.type} ${entry.record.id}`;
  if (entry.kind === 'key') return `key ${entry.key.token}`;
  if (entry.kind === 'grant') return `grant ${entry.grant.refreshToken}`;
  if (entry.kind === 'portal' || entry.kind === 'rules') return `${entry.kind} ${entry.portalId}`;
  const name = entry.kind === 'property' ? entry.property.name : entry.group.name;
  return `${entry.kind} ${entry.portalId} ${entry.type} ${name}`;
}
