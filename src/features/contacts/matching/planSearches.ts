import { type ContactSearch, SEARCH_LIMITS, type SearchField } from '../../../clients/crm/types.ts';
import { splitCompanyWords } from '../../../lib/names/companyWords.ts';
import { listVariants } from '../../../lib/names/givenNames.ts';
import { JOINED_NAME } from '../../../lib/names/personName.ts';
import { type Reading, readName } from '../../../lib/names/readings.ts';
import { isLatin, listAccented, romanise, romanKey } from '../../../lib/names/romanise.ts';
import { listNationalForms } from '../../../lib/phone.ts';
import { plainUsername } from './compareWithContact.ts';
import type { Person } from './schema.ts';

type Filter = { field: SearchField; any: readonly string[] };

/** What is searched for one person: values in one field, or in each of several fields. */
export type SearchTerm = { dialogId: string; filters: readonly Filter[] };

/** One CRM call with the terms it covers. */
export type PlannedSearch = { search: ContactSearch; terms: readonly SearchTerm[] };

/** Reserves space for the client's part: properties and page size. */
const MAX_FILTER_CHARACTERS = SEARCH_LIMITS.bodyCharacters - 450;
/** Characters that a filter has beside its values, at most, and that the brackets of a group have. */
const [FILTER_CHARACTERS, GROUP_CHARACTERS] = [90, 15];
/** Longer values are left out, so that all forms of one name fit into a search. */
const MAX_VALUE_LENGTH = 60;
const MAX_READINGS = 2;
/** More groups find fewer unwanted name combinations but lengthen the query. */
const NAME_GROUPS = 4;

/** The exact identifiers of a person, as the CRM's fields usually hold them. */
export function idTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(({ dialogId, messengerUserId, username, phone }) => [
    ...termIfFilled(dialogId, ['messengerUserId', [messengerUserId.toLowerCase()]]),
    ...termIfFilled(dialogId, ['messengerUsername', withPrefixes(['', '@'], plainUsername(username))]),
    ...termIfFilled(dialogId, ['searchablePhone', listNationalForms(phone)]),
    ...termIfFilled(dialogId, ['searchableMobilePhone', listNationalForms(phone)]),
  ]);
}

/** Search terms for identifiers in rarer notations. */
export function rareIdTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(({ dialogId, username, phone }) => [
    ...termIfFilled(dialogId, ['messengerUsername', withPrefixes(['https://t.me/', 't.me/'], plainUsername(username))]),
    ...termIfFilled(dialogId, ['phone', withPrefixes(['00', ''], phone.slice(1))]),
    ...termIfFilled(dialogId, ['mobilePhone', withPrefixes(['00', ''], phone.slice(1))]),
  ]);
}

function withPrefixes(prefixes: readonly string[], value: string): string[] {
  return value === '' ? [] : prefixes.map(prefix => prefix + value);
}

/** Terms for names, in either order of first and last name. */
export function nameTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(({ dialogId, name, username }) => {
    const forms = readName(name, username).slice(0, MAX_READINGS).map(nameForms);
    return forms.flatMap(either => termIfFilled(dialogId, ['lastName', either], ['firstName', either]));
  });
}

/** Terms for people who were not found by name: rarer forms of it, given name with company, and words of the username. */
export function fallbackTerms(people: readonly Person[]): SearchTerm[] {
  return people.flatMap(({ dialogId, name, username }) => {
    const readings = readName(name, username);
    const [first = '', ...others] = readings[0]?.tokens ?? [];
    const lasts = [...others.slice(-1).flatMap(rareForms), others.join('')];
    const extras = readings[0]?.extras.slice(0, MAX_READINGS) ?? [];
    const companies = extras.map(extra => splitCompanyWords(extra).join(' '));
    const guessedNames = readings.flatMap(({ isGuess, tokens }) => (isGuess && tokens.length === 1 ? tokens : []));
    return [
      ...termIfFilled(dialogId, ['lastName', lasts], ['firstName', rareForms(first)]),
      ...termIfFilled(dialogId, ['company', companies], ['firstName', wordForms(first)]),
      ...termIfFilled(dialogId, ['lastName', guessedNames]),
      ...termIfFilled(dialogId, ['firstName', guessedNames]),
    ];
  });
}

/** One term, or none if a field has no values. The most selective field comes first, as terms are sorted by it. */
function termIfFilled(dialogId: string, ...fields: [SearchField, readonly string[]][]): SearchTerm[] {
  const isValue = (value: string) => value !== '' && value.length <= MAX_VALUE_LENGTH;
  const filters = fields.map(([field, values]) => ({ field, any: values.filter(isValue) }));
  return filters.some(({ any }) => any.length === 0) ? [] : [{ dialogId, filters }];
}

type Draft = { groups: Filter[][]; terms: SearchTerm[] };

/**
 * Plans as few searches as can hold all terms. Terms of the same fields share a group, sorted so that the same last
 * names are together: a group finds every first name with every last name in it, which is more than was asked for.
 */
export function planSearches(allTerms: readonly SearchTerm[]): PlannedSearch[] {
  const keyOf = ({ filters }: SearchTerm) => filters.map(({ field, any }) => `${field} ${any[0]}`).join(' ');
  const keyed = allTerms.map(term => ({ key: keyOf(term), term }));
  const drafts: Draft[] = [];
  for (const { term } of keyed.toSorted((a, b) => Number(a.key > b.key) - Number(a.key < b.key))) {
    const draft = drafts.at(-1);
    if (!draft || !addTerm(draft, term)) drafts.push({ groups: [[...term.filters]], terms: [term] });
  }
  return drafts.map(({ groups, terms }) => ({ search: { groups }, terms }));
}

/** Splits a search that found more than a page holds into searches for half of its terms each. Undefined for a single term. */
export function splitSearch({ terms }: PlannedSearch): PlannedSearch[] | undefined {
  if (terms.length < 2) return undefined;
  const middle = Math.ceil(terms.length / 2);
  return [terms.slice(0, middle), terms.slice(middle)].flatMap(planSearches);
}

/** Adds a term to a search. Returns false if it has no room. */
function addTerm(draft: Draft, { filters, ...rest }: SearchTerm): boolean {
  const fieldsOf = (group: readonly Filter[]) => group.map(({ field }) => field).join();
  const last = draft.groups.findLastIndex(group => fieldsOf(group) === fieldsOf(filters));
  const isFull =
    filters.length > 1 && countCharacters(draft.groups.slice(last, last + 1)) > MAX_FILTER_CHARACTERS / NAME_GROUPS;
  const hasPlace = draft.groups.length < SEARCH_LIMITS.groups;
  if (last < 0 && !hasPlace) return false;
  const isNew = last < 0 || (isFull && hasPlace);
  const existingValues = (at: number) => (isNew ? [] : (draft.groups[last]?.[at]?.any ?? []));
  const group = filters.map(({ field, any }, at) => ({ field, any: [...new Set([...existingValues(at), ...any])] }));
  const groups = isNew ? [...draft.groups, group] : draft.groups.with(last, group);
  if (countCharacters(groups) > MAX_FILTER_CHARACTERS) return false;
  draft.groups = groups;
  draft.terms.push({ filters, ...rest });
  return true;
}

function countCharacters(groups: readonly (readonly Filter[])[]): number {
  const characters = groups.flat().map(({ any }) => JSON.stringify(any).length + FILTER_CHARACTERS);
  return characters.reduce((sum, length) => sum + length, groups.length * GROUP_CHARACTERS);
}

const MAX_FORMS_PER_WORD = 7;
const MAX_FORMS_PER_PHRASE = 4;
const MAX_RARE_FORMS = 12;
const MAX_SPELLINGS = 3;
/** St. Clair, St Clair and Saint Clair are one. */
const SAINT = /(?<![\p{L}\p{M}])(?:st|saint|sankt)[ -]/u;

/** Values that a CRM name field may have, in small letters. Names of many words are divided in the usual ways. */
function nameForms({ tokens }: Reading): string[] {
  const [joined = ''] = tokens;
  if (tokens.length < 2)
    return JOINED_NAME.test(joined) ? [1, 2].flatMap(at => [joined.slice(0, at), joined.slice(at)]) : [];
  if (tokens.length === 2) return dropDuplicates(tokens.flatMap(wordForms));
  const phrases = [tokens.slice(0, 1), tokens.slice(-1), tokens.slice(1), tokens.slice(0, -1), tokens.slice(1, 2)];
  return dropDuplicates(phrases.flatMap(phrase => wordForms(phrase.join(' ')).slice(0, MAX_FORMS_PER_PHRASE)));
}

/** Forms of words: as written, romanized in the likeliest ways, and with other hyphens, apostrophes or `Saint`. */
function wordForms(written: string): string[] {
  const saints = SAINT.test(written) ? ['st. ', 'st ', 'saint ', 'saint-'] : [];
  const ways = /^[\p{L}\p{M}]+$/u.test(written) ? spellingsOf(written) : [plainPhrase(written)];
  const joints = [written.replaceAll('-', ' '), written.replace(/^(\S+) (\S+)$/, '$1-$2')];
  const apostrophes = [written.replaceAll("'", '’'), written.replaceAll("'", '')];
  const sainted = saints.map(saint => written.replace(SAINT, saint));
  return dropDuplicates([written, ...sainted, ...ways, ...joints, ...apostrophes]).slice(0, MAX_FORMS_PER_WORD);
}

/** The forms of a word, with rarer ones: with accents that were left out, or romanised by another standard. */
function rareForms(token: string): string[] {
  const ways = spellingsOf(token);
  const rare = isLatin(token) ? listAccented(token) : [...ways, ...ways.flatMap(listAccented)];
  return dropDuplicates([...wordForms(token), ...rare]).slice(0, MAX_RARE_FORMS);
}

function spellingsOf(token: string): string[] {
  const ways = romanise(token);
  return [...ways.slice(0, MAX_SPELLINGS), ...listVariants(romanKey(ways[0] ?? '')), ...ways.slice(MAX_SPELLINGS)];
}

const plainPhrase = (text: string): string => text.replace(/[\p{L}\p{M}]+/gu, word => romanise(word)[0] ?? word);

const dropDuplicates = (values: readonly string[]): string[] => [...new Set(values)].filter(value => value !== '');
