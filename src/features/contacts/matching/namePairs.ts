import { accentedForms } from '../../../lib/names/accentedNames.ts';
import { IBERIAN } from '../../../lib/names/familyNames.ts';
import { otherForms } from '../../../lib/names/nicknames.ts';
import type { Reading } from '../../../lib/names/readings.ts';
import { isLatin, romanise } from '../../../lib/names/romanise.ts';
import { romanisedForms } from '../../../lib/names/romanisedNames.ts';
import { cyrillicFamilyNames, cyrillicGivenNames } from '../../../lib/names/toCyrillic.ts';

/** A name as it may be in the CRM's two fields, small letters, the likeliest form first. */
export type NamePair = { firsts: string[]; lasts: string[] };

const MOST_FORMS = 7;
const MOST_HARD_FORMS = 12;

/** First name first, and last name first. Names of many words are divided only in the usual ways. */
export function namePairs({ tokens }: Reading): NamePair[] {
  if (tokens.length < 2) return [];
  const [first, last] = [forms(tokens.slice(0, 1)), forms(tokens.slice(-1))];
  if (tokens.length === 2) {
    return [
      { firsts: first, lasts: last },
      { firsts: last, lasts: first },
    ];
  }
  const [butFirst, butLast] = [forms(tokens.slice(1)), forms(tokens.slice(0, -1))];
  const families = tokens
    .slice(-2, -1)
    .filter(isOneOfTwoFamilies)
    .flatMap(token => forms([token]));
  return [
    { firsts: unique([...first, ...butLast]), lasts: unique([...butFirst, ...last, ...families]) },
    { firsts: unique([...last, ...butFirst]), lasts: unique([...butLast, ...first]) },
  ];
}

/** For people who have two family names and leave one out: García for García López. */
export function oneOfTwoFamilies({ tokens }: Reading): { firsts: string[]; families: string[] } | undefined {
  const [first, last] = tokens;
  if (tokens.length !== 2 || first === undefined || last === undefined || !isOneOfTwoFamilies(last)) return undefined;
  return {
    firsts: forms([first]),
    families: unique([last, plainOf(last), ...accentedForms(plainOf(last))]).slice(0, 2),
  };
}

function isOneOfTwoFamilies(token: string): boolean {
  return IBERIAN.has(plainOf(token));
}

/** What else the person may be filed under: nicknames, accents left off or added, another alphabet, one field for all. */
export function fallbackPairs(reading: Reading): NamePair[] {
  return [...spelledPairs(reading), ...soundingPairs(reading)];
}

function spelledPairs({ tokens }: Reading): NamePair[] {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined || tokens.length < 2) return hanPairs(tokens);
  const firsts = unique([...forms([first]), ...rareForms(first)]);
  const lasts = unique([...forms(tokens.slice(1)), ...asOneWord(tokens.slice(1)), ...rareForms(last)]);
  return [{ firsts, lasts }, ...inCyrillic(first, last)];
}

/** Forms of a given name on its own, for finding it beside a company. */
export function givenForms({ tokens }: Reading): string[] {
  const [first] = tokens;
  return first === undefined ? [] : unique([...forms([first]), ...otherForms(plainOf(first))]).slice(0, MOST_FORMS);
}

/** St. Clair, St Clair and Saint Clair are one. */
const SAINT = /(?<![\p{L}\p{M}])(?:st|saint|sankt)[ -]/u;

/** A phrase of one field: as written, in plain letters, with the accents that belong to it, romanised. */
function forms(tokens: readonly string[]): string[] {
  const written = tokens.join(' ');
  const [only] = tokens;
  const romanised = tokens.length === 1 && only !== undefined ? romanisedOf(only) : [plainPhrase(tokens)];
  const accented = tokens.length === 1 && only !== undefined ? accentedForms(plainOf(only)) : [];
  const joints = [written.replaceAll('-', ' '), tokens.length === 2 ? tokens.join('-') : ''];
  const saints = SAINT.test(written)
    ? ['st. ', 'st ', 'saint ', 'saint-'].map(saint => written.replace(SAINT, saint))
    : [];
  const apostrophes = written.includes("'") ? [written.replaceAll("'", '’'), written.replaceAll("'", '')] : [];
  return unique([written, ...saints, ...romanised, ...accented, ...joints, ...apostrophes]).slice(0, MOST_FORMS);
}

function romanisedOf(token: string): string[] {
  if (token.includes('-') || token.includes("'")) return [plainPhrase([token])];
  const ways = romanise(token);
  const names = ways.flatMap(romanisedForms);
  return isLatin(token) ? [...ways, ...names.slice(0, 4)] : [...ways.slice(0, 3), ...names, ...ways.slice(3)];
}

/** If the Cyrillic form of the given name is known, both names in Cyrillic. */
function inCyrillic(first: string, last: string): NamePair[] {
  if (!isLatin(first) || !isLatin(last)) return [];
  const [firsts, lasts] = [cyrillicGivenNames(plainOf(first)), cyrillicFamilyNames(plainOf(last))];
  return firsts.length > 0 && lasts.length > 0 ? [{ firsts: firsts.slice(0, MOST_FORMS), lasts }] : [];
}

/** Vandenberg for van den Berg. */
function asOneWord(tokens: readonly string[]): string[] {
  return tokens.length > 1 ? [tokens.join('')] : [];
}

function rareForms(token: string): string[] {
  const plain = plainOf(token);
  const apart = token.includes('-') ? [token.replaceAll('-', ' '), ...token.split('-')] : [];
  const nicknames = otherForms(plain).flatMap(form => [form, ...accentedForms(form)]);
  const spellings = romanise(token).slice(0, 2).flatMap(otherSpellings);
  const all = isLatin(token)
    ? [...apart, ...umlautsOf(plain), ...nicknames, ...spellings]
    : [...spellings, ...romanise(token), ...nicknames];
  return unique(all.map(form => form.normalize('NFC'))).slice(0, MOST_HARD_FORMS);
}

/** A word without umlauts, written with them: Mueller and Muller as Müller, Gross as Größ. */
function umlautsOf(plain: string): string[] {
  const spelledOut = plain.replace(/([aou])e/g, '$1\u0308');
  const leftOff = plain.replace(/[aou]/, '$&\u0308');
  return unique([spelledOut, plain.replace(/([aou])e/g, '$1'), leftOff, leftOff.replace('ss', 'ß')]);
}

/** Letters that different authorities romanise differently. */
const DISAGREEMENTS: readonly (readonly [RegExp, string])[] = [
  [/shch/, 'sch'],
  [/sch(?=[aeiou])/, 'shch'],
  [/^ch/, 'tch'],
  [/^tch/, 'ch'],
  [/(skyi|skiy|skii|ski)$/, 'sky'],
  [/sky$/, 'skyi'],
  [/sky$/, 'skiy'],
  [/(yov|iov|ev)$/, 'iev'],
  [/(yev|iev|ev|iov)$/, 'yov'],
  [/(yev|iev|yov|iov)$/, 'ev'],
  [/([iy])i$/, 'y'],
  [/iu/, 'yu'],
  [/ia/, 'ya'],
  [/yu/, 'iu'],
  [/ya/, 'ia'],
  [/kh/, 'h'],
];

function otherSpellings(plain: string): string[] {
  return unique(DISAGREEMENTS.map(([pattern, spelling]) => plain.replace(pattern, spelling))).filter(
    spelling => spelling !== plain,
  );
}

/** A name of another script as it may sound, in both orders. */
function soundingPairs({ soundings }: Reading): NamePair[] {
  const [first, last] = [soundings[0], soundings.at(-1)];
  if (!first || !last || first === last) return [];
  return [
    { firsts: [...first.forms], lasts: [...last.forms] },
    { firsts: [...last.forms], lasts: [...first.forms] },
  ];
}

/** Families of two to four characters and no space: the first is the family's name. */
function hanPairs(tokens: readonly string[]): NamePair[] {
  const [token = ''] = tokens;
  if (!/^\p{Script=Han}{2,4}$/u.test(token)) return [];
  const [family = '', ...given] = [...token];
  return [{ firsts: [given.join(''), token], lasts: [family, token] }];
}

function plainOf(token: string): string {
  return romanise(token.replace(/['-]/g, ''))[0] ?? token;
}

function plainPhrase(tokens: readonly string[]): string {
  return tokens.map(token => token.split('-').map(plainOf).join('-')).join(' ');
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].filter(value => value !== '');
}
