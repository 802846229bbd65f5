import { type ContactSearch, SEARCH_LIMITS, type SearchField, type SearchFilter } from '../../../clients/crm/types.ts';
import { readName } from '../../../lib/names/readings.ts';
import { nationalForms } from '../../../lib/phone.ts';
import { companyValue } from '../comparison/compareCompany.ts';
import { plainUsername } from '../comparison/plainUsername.ts';
import type { Person } from '../comparison/schema.ts';
import { fallbackPairs, givenForms, namePairs, oneOfTwoFamilies } from './namePairs.ts';

/** Something looked for on behalf of one person: a value in one field, or in all of several. */
export type SearchTerm = { dialogId: string; filters: readonly TermFilter[] };
type TermFilter = { field: SearchField; any: readonly string[] } | { field: SearchField; token: string };

/** One call to the CRM and what it looks for. */
export type PlannedSearch = { search: ContactSearch; terms: readonly SearchTerm[] };

/** Kept free for what the client adds: the list of properties, the page's size. */
const RESERVED_CHARACTERS = 450;
/** Characters for the vendor's longest field name, its operator and the surrounding brackets. */
const FILTER_CHARACTERS = 90;
const GROUP_CHARACTERS = 15;
const ROOM = SEARCH_LIMITS.bodyCharacters - RESERVED_CHARACTERS;
/** Longer than any name; the vendor's own fields are shorter. */
const LONGEST_VALUE = 80;
/** With more groups, fewer unwanted combinations of names are searched for, but the query gets longer. */
const NAME_GROUPS = 4;

/** The field that narrows most first: terms are laid side by side by it. */
const FIELDS = [
  'messengerUserId',
  'messengerUsername',
  'searchablePhone',
  'searchableMobilePhone',
  'phone',
  'mobilePhone',
  'lastName',
  'company',
  'firstName',
] as const satisfies readonly SearchField[];

/** The exact identifiers of a person, as the CRM's fields usually hold them. */
export function keyTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(person => {
    const username = plainUsername(person.username);
    const national = nationalForms(person.phone);
    return [
      ...searchTerm(person.dialogId, { messengerUserId: [person.messengerUserId.toLowerCase()] }),
      ...searchTerm(person.dialogId, { messengerUsername: username === '' ? [] : [username, `@${username}`] }),
      ...searchTerm(person.dialogId, { searchablePhone: national }),
      ...searchTerm(person.dialogId, { searchableMobilePhone: national }),
    ];
  });
}

/** The same identifiers, as people occasionally type them. */
export function rareKeyTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(person => {
    const username = plainUsername(person.username);
    const digits = person.phone.replace(/\D/g, '');
    const phones = digits === '' ? [] : [`00${digits}`, digits];
    const links = username === '' ? [] : [`https://t.me/${username}`, `t.me/${username}`];
    return [
      ...searchTerm(person.dialogId, { messengerUsername: links }),
      ...searchTerm(person.dialogId, { phone: phones }),
      ...searchTerm(person.dialogId, { mobilePhone: phones }),
    ];
  });
}

/** Both orders of every reading of the names that can be accepted. */
export function nameTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(({ dialogId, name }) => {
    const [likeliest, ...others] = readName(name).filter(({ tokens }) => tokens.length > 1);
    const pairs = [likeliest, ...others.slice(0, 1)].flatMap(reading => (reading ? namePairs(reading) : []));
    return pairs.flatMap(({ firsts, lasts }) => searchTerm(dialogId, { lastName: lasts, firstName: firsts }));
  });
}

/** For people not found yet: other forms of the name, and given names together with the company. */
export function fallbackTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(({ dialogId, name }) => {
    const [reading] = readName(name);
    if (!reading) return [];
    const beside = { company: reading.extras.map(companyValue), firstName: givenForms(reading) };
    const pairs = fallbackPairs(reading).map(({ firsts, lasts }) => ({ lastName: lasts, firstName: firsts }));
    return [...pairs, beside].flatMap(wanted => searchTerm(dialogId, wanted));
  });
}

/** For those still open whose family name may be one of two: as a word of the field. */
export function familyWordTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(({ dialogId, name }) => {
    const [reading] = readName(name);
    const wanted = reading && oneOfTwoFamilies(reading);
    return (wanted?.families ?? []).map((token): SearchTerm => {
      const filters = [
        { field: 'lastName' as const, token },
        { field: 'firstName' as const, any: wanted?.firsts ?? [] },
      ];
      return { dialogId, filters };
    });
  });
}

/** Returns no term if one of its fields would have no values. */
function searchTerm(dialogId: string, wanted: Partial<Record<SearchField, readonly string[]>>): SearchTerm[] {
  const filters = FIELDS.flatMap(field => {
    const any = wanted[field]?.filter(value => value !== '' && value.length <= LONGEST_VALUE);
    return any ? [{ field, any }] : [];
  });
  return filters.some(({ any }) => any.length === 0) ? [] : [{ dialogId, filters }];
}

/** What is asked of each field, or of each field and word. */
type Group = Map<string, { field: SearchField; any: Set<string> } | { field: SearchField; token: string }>;
type Draft = { groups: Group[]; terms: SearchTerm[] };

/**
 * Plans as few searches as can hold all terms. Terms of the same fields share a group, sorted so that the same last
 * names are together: a group finds every first name with every last name in it, which is more than was asked for.
 */
export function planSearches(wanted: readonly SearchTerm[]): PlannedSearch[] {
  const drafts: Draft[] = [];
  for (const one of wanted.toSorted((a, b) => compareText(sortKey(a), sortKey(b)))) {
    const draft = drafts.at(-1);
    if (!draft || !put(draft, one)) drafts.push(startedWith(one));
  }
  return drafts.map(toPlanned);
}

/** Divides a search that had more results than a page holds. Undefined if it cannot be divided. */
export function halve({ terms: wanted }: PlannedSearch): PlannedSearch[] | undefined {
  if (wanted.length < 2) return undefined;
  const middle = Math.ceil(wanted.length / 2);
  return [wanted.slice(0, middle), wanted.slice(middle)].flatMap(planSearches);
}

function sortKey({ filters }: SearchTerm): string {
  return filters.map(filter => `${keyOf(filter)} ${'any' in filter ? filter.any[0] : ''}`).join(' ');
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** For a term that is too long for any search, the likelier half of its values. */
function startedWith(one: SearchTerm): Draft {
  const draft: Draft = { groups: [], terms: [] };
  if (put(draft, one)) return draft;
  const shorter = one.filters.map(filter =>
    'any' in filter ? { ...filter, any: filter.any.slice(0, Math.ceil(filter.any.length / 2)) } : filter,
  );
  return startedWith({ ...one, filters: shorter });
}

/** Whether there was room. */
function put(draft: Draft, one: SearchTerm): boolean {
  const fields = one.filters.map(keyOf);
  const fitting = draft.groups.filter(group => sameFields(group, fields));
  const last = fitting.at(-1);
  const isFull = last !== undefined && fields.length > 1 && charactersOf([last]) > ROOM / NAME_GROUPS;
  const isNew = last === undefined || (isFull && draft.groups.length < SEARCH_LIMITS.groups);
  if (isNew && draft.groups.length >= SEARCH_LIMITS.groups) return false;
  const group = extended(isNew ? undefined : last, one);
  const groups = isNew ? [...draft.groups, group] : draft.groups.map(known => (known === last ? group : known));
  if (charactersOf(groups) > ROOM) return false;
  draft.groups = groups;
  draft.terms.push(one);
  return true;
}

function keyOf(filter: TermFilter): string {
  return 'any' in filter ? filter.field : `${filter.field} ${filter.token}`;
}

function sameFields(group: Group, fields: readonly string[]): boolean {
  return group.size === fields.length && fields.every(field => group.has(field));
}

function extended(group: Group | undefined, { filters }: SearchTerm): Group {
  const longer: Group = new Map();
  for (const filter of filters) {
    const known = group?.get(keyOf(filter));
    const before = known && 'any' in known ? known.any : [];
    longer.set(
      keyOf(filter),
      'any' in filter ? { field: filter.field, any: new Set([...before, ...filter.any]) } : filter,
    );
  }
  return longer;
}

function charactersOf(groups: readonly Group[]): number {
  const filters = groups.flatMap(group => [...group.values()]);
  const values = filters.reduce((sum, one) => sum + JSON.stringify('any' in one ? [...one.any] : one.token).length, 0);
  return values + filters.length * FILTER_CHARACTERS + groups.length * GROUP_CHARACTERS;
}

function toPlanned({ groups, terms: wanted }: Draft): PlannedSearch {
  const filters = (group: Group) =>
    [...group.values()].map((one): SearchFilter => ('any' in one ? { ...one, any: [...one.any] } : one));
  return { search: { groups: groups.map(filters) }, terms: wanted };
}
