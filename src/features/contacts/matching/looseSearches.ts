import { SEARCH_LIMITS, type SearchField, type SearchFilter } from '../../../clients/crm/types.ts';
import { listOutlines } from '../../../lib/nameKeys.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import type { PlannedSearch } from './planSearches.ts';
import type { Person } from './schema.ts';

/** Numbers with equal last digits match, whatever their prefix. */
export const LAST_DIGITS = 7;
/** Minimum bytes of a name's searched part, as a letter of another script is more selective. Shorter finds too much. */
const MIN_NAME_BYTES = 3;
const { groups: MAX_GROUPS } = SEARCH_LIMITS;

/**
 * Plans searches for people not found otherwise: numbers with any prefix, and names in any spelling or script. Their terms
 * can't share a group, so a search covers few people.
 */
export function planLooseSearches(people: readonly Person[]): PlannedSearch[] {
  const groups = people.flatMap(({ phone, name }) => [...groupsOfNumber(phone), ...groupsOfName(name)]);
  const searches = Array.from({ length: Math.ceil(groups.length / MAX_GROUPS) }, (_, at) => at * MAX_GROUPS);
  return searches.map(from => ({ search: { groups: groups.slice(from, from + MAX_GROUPS) }, terms: [] }));
}

function groupsOfNumber(phone: string): SearchFilter[][] {
  const fields: SearchField[] = phone === '' ? [] : ['searchablePhone', 'searchableMobilePhone'];
  return fields.map(field => [{ field, token: `*${phone.slice(-LAST_DIGITS)}` }]);
}

function groupsOfName(name: string): SearchFilter[][] {
  const { given, family } = readPersonName(name);
  const lasts = listOutlines(family);
  const pairs = listOutlines(given).map((first, at) => [first, lasts[at] ?? '*'] as const);
  const telling = pairs.filter(pair => Buffer.byteLength(pair.join('').replaceAll('*', '')) >= MIN_NAME_BYTES);
  return telling.map(([first, last]) => [
    { field: 'lastName', token: last },
    { field: 'firstName', token: first },
  ]);
}
