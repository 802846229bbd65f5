import { keptHtml } from './noteHtml.ts';
import type { ObjectType, Property } from './records.ts';
import { invalidProperty } from './refusals.ts';
import type { Portal } from './state.ts';

const MAX_CHARACTERS = 65_536;
const EMAIL = /^[^\s@<>(),;:"[\]\\]{1,64}@([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$/u;
/** Written by the CRM itself. */
const RESERVED = 'is a read only property; its value cannot be set.';

/** Returns the values as they are stored; '' means no value. Throws a Refusal for the first wrong one. */
export function readValues(portal: Portal, type: ObjectType, given: Record<string, string>): Record<string, string> {
  const entries = Object.entries(given).map(([name, value]) => {
    const property = portal.properties[type].get(name);
    if (!property) throw invalidProperty(name, 'PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`);
    if (property.isReadOnly) throw invalidProperty(name, 'READ_ONLY_VALUE', `"${name}" ${RESERVED}`);
    return [name, value === '' ? '' : readValue(property, value)];
  });
  return Object.fromEntries(entries);
}

function readValue(property: Property, value: string): string {
  const { name } = property;
  if (value.length > MAX_CHARACTERS) {
    throw invalidProperty(name, 'VALUE_TOO_LONG', `The value of ${name} is longer than ${MAX_CHARACTERS} characters`);
  }
  if (name === 'email') return readEmail(value);
  if (property.fieldType === 'html') return keptHtml(value);
  if (property.type === 'number') return readNumber(name, value);
  if (property.type === 'datetime' || property.type === 'date') return readTime(property, value);
  if (property.type === 'enumeration') return readOption(property, value);
  if (property.type === 'bool') return readOption({ ...property, options: TRUTHS }, value);
  return value;
}

const TRUTHS = ['true', 'false'].map(value => ({ label: value, value }));

function readEmail(value: string): string {
  const email = value.trim().toLowerCase();
  if (!EMAIL.test(email)) throw invalidProperty('email', 'INVALID_EMAIL', `Email address ${value} is invalid`);
  return email;
}

function readNumber(name: string, value: string): string {
  if (!Number.isFinite(Number(value)) || value.trim() === '') {
    throw invalidProperty(name, 'INVALID_DOUBLE', `${name} was not a valid number.`);
  }
  return value;
}

const UNIX_MS = /^-?\d{5,15}$/;
const ISO_DAY = /^\d{4}-\d\d-\d\d(T|$)/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Unix milliseconds or ISO 8601, a moment with its offset. */
function readTime({ name, type }: Property, value: string): string {
  const isKnown = UNIX_MS.test(value) || (type === 'date' ? ISO_DAY : ISO_TIME).test(value);
  const time = new Date(UNIX_MS.test(value) ? Number(value) : isKnown ? value : Number.NaN);
  if (Number.isNaN(time.getTime())) throw invalidProperty(name, 'INVALID_DATE', `${name} was not a valid date.`);
  return type === 'date' ? time.toISOString().slice(0, 10) : time.toISOString();
}

function readOption({ name, options }: Property, value: string): string {
  if (options.some(option => option.value === value)) return value;
  throw invalidProperty(name, 'INVALID_OPTION', `${name} was not one of the allowed options`);
}
