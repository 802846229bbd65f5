import { SEARCH_LIMITS, type SearchField, type SearchFilter } from '../../../clients/crm/types.ts';
import { outlines } from '../../../lib/nameKeys.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import type { PlannedSearch } from './planSearches.ts';
import type { Person } from './schema.ts';

/** Numbers that end alike are compared, whatever stands in front. */
export const LAST_DIGITS = 7;
/** With less of a name, most of a CRM is found. In bytes, as a letter of another script leaves more contacts out. */
const LEAST_BYTES = 3;
const { groups: MOST_GROUPS } = SEARCH_LIMITS;

/**
 * For people not found otherwise: their number, whatever stands in front of it, and their name in any spelling or script.
 * They can't share a group, so only few people can be looked for in this way.
 */
export function looseSearches(people: readonly Person[]): PlannedSearch[] {
  const groups = people.flatMap(({ phone, name }) => [...groupsOfNumber(phone), ...groupsOfName(name)]);
  const searches = Array.from({ length: Math.ceil(groups.length / MOST_GROUPS) }, (_, at) => at * MOST_GROUPS);
  return searches.map(from => ({ search: { groups: groups.slice(from, from + MOST_GROUPS) }, terms: [] }));
}

function groupsOfNumber(phone: string): SearchFilter[][] {
  const fields: SearchField[] = phone === '' ? [] : ['searchablePhone', 'searchableMobilePhone'];
  return fields.map(field => [{ field, token: `*${phone.slice(-LAST_DIGITS)}` }]);
}

function groupsOfName(name: string): SearchFilter[][] {
  const { given, family } = readPersonName(name);
  const lasts = outlines(family);
  const pairs = outlines(given).map((first, at) => [first, lasts[at] ?? '*'] as const);
  const telling = pairs.filter(pair => Buffer.byteLength(pair.join('').replaceAll('*', '')) >= LEAST_BYTES);
  return telling.map(([first, last]) => [
    { field: 'lastName', token: last },
    { field: 'firstName', token: first },
  ]);
}
