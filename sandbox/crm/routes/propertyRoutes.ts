import { z } from 'zod';
import { OBJECT_TYPES, type ObjectType, type Property, propertySchema } from '../records.ts';
import { invalid, notFound, Refusal } from '../refusals.ts';
import { read } from './input.ts';
import type { Answer, Call, Route } from './route.ts';

const READS = { scopes: ['crm.schemas.contacts.read', 'crm.objects.contacts.read'] };
const WRITES = { scopes: ['crm.schemas.contacts.write'] };

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,99}$/, 'must begin with a letter and hold lower case letters, digits and _');
const newGroup = z.object({ name, label: z.string().min(1) });
const newProperty = z.object({
  name,
  label: z.string().min(1),
  groupName: z.string(),
  type: propertySchema.shape.type,
  fieldType: z.string().min(1),
  description: z.string().default(''),
  hasUniqueValue: z.boolean().default(false),
  options: propertySchema.shape.options.default([]),
});

/** Everything under the properties' `/:objectType`. */
export const propertyRoutes: Route[] = [
  { method: 'get', path: '/:objectType/groups', kind: 'properties.groups.list', ...READS, handle: listGroups },
  { method: 'post', path: '/:objectType/groups', kind: 'properties.groups.create', ...WRITES, handle: createGroup },
  { method: 'get', path: '/:objectType/groups/:name', kind: 'properties.groups.read', ...READS, handle: readGroup },
  { method: 'get', path: '/:objectType', kind: 'properties.list', ...READS, handle: list },
  { method: 'post', path: '/:objectType', kind: 'properties.create', ...WRITES, handle: create },
  { method: 'get', path: '/:objectType/:name', kind: 'properties.read', ...READS, handle: readOne },
];

function listGroups({ portal, params }: Call): Answer {
  return { status: 200, body: { results: [...portal.groups[typeIn(params)].values()].map(groupReply) } };
}

function createGroup({ state, portal, params, body }: Call): Answer {
  const type = typeIn(params);
  const group = read(newGroup, body);
  if (portal.groups[type].has(group.name)) throw taken(`A property group named '${group.name}' already exists.`);
  state.saveGroup(portal, type, group);
  return { status: 201, body: groupReply(group) };
}

function readGroup({ portal, params }: Call): Answer {
  const group = portal.groups[typeIn(params)].get(params.name ?? '');
  if (!group) throw notFound();
  return { status: 200, body: groupReply(group) };
}

function list({ portal, params }: Call): Answer {
  return { status: 200, body: { results: [...portal.properties[typeIn(params)].values()].map(propertyReply) } };
}

function create({ state, portal, params, body }: Call): Answer {
  const type = typeIn(params);
  const property: Property = { ...read(newProperty, body), isReadOnly: false };
  if (!portal.groups[type].has(property.groupName)) {
    throw invalid(`The property group ${property.groupName} does not exist.`);
  }
  if (portal.properties[type].has(property.name)) throw taken(`A property named '${property.name}' already exists.`);
  state.saveProperty(portal, type, property);
  return { status: 201, body: propertyReply(property) };
}

function readOne({ portal, params }: Call): Answer {
  const property = portal.properties[typeIn(params)].get(params.name ?? '');
  if (!property) throw notFound();
  return { status: 200, body: propertyReply(property) };
}

/** Finds the type by its name, or by the vendor's number for it. */
function typeIn(params: Record<string, string>): ObjectType {
  const asked = params.objectType === '0-1' || params.objectType === 'contact' ? 'contacts' : params.objectType;
  const type = OBJECT_TYPES.find(each => each === asked);
  if (!type) throw invalid(`Unable to infer object type from: ${params.objectType}`);
  return type;
}

function taken(message: string): Refusal {
  return new Refusal(409, { message, category: 'OBJECT_ALREADY_EXISTS' });
}

function groupReply(group: { name: string; label: string }) {
  return { ...group, displayOrder: -1, archived: false };
}

function propertyReply({ isReadOnly, options, ...property }: Property) {
  return {
    ...property,
    options: options.map((option, displayOrder) => ({ ...option, displayOrder, hidden: false })),
    displayOrder: -1,
    calculated: false,
    externalOptions: false,
    archived: false,
    hidden: false,
    formField: false,
    modificationMetadata: { archivable: !isReadOnly, readOnlyDefinition: isReadOnly, readOnlyValue: isReadOnly },
  };
}
