import { accentedForms } from '../../lib/names/accentedNames.ts';
import { otherForms } from '../../lib/names/nicknames.ts';
import type { Reading } from '../../lib/names/readings.ts';
import { isLatin, romanise } from '../../lib/names/romanise.ts';
import { romanisedForms } from '../../lib/names/romanisedNames.ts';

/** A name as it may stand in the CRM's two fields, small letters, the likeliest form first. */
export type NamePair = { firsts: string[]; lasts: string[] };

const MOST_FORMS = 7;
const MOST_HARD_FORMS = 12;

/** First name first, and last name first. Of many words only the usual ways to divide them. */
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
  return [
    { firsts: unique([...first, ...butLast]), lasts: unique([...butFirst, ...last]) },
    { firsts: unique([...last, ...butFirst]), lasts: unique([...butLast, ...first]) },
  ];
}

/** What else the person may be filed under: nicknames, accents left off or added, another alphabet, one field for all. */
export function hardPairs({ tokens }: Reading): NamePair[] {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined || tokens.length < 2) return hanPairs(tokens);
  const firsts = unique([...forms([first]), ...hardForms(first)]);
  const lasts = unique([...forms(tokens.slice(1)), ...hardForms(last)]);
  return [{ firsts, lasts }];
}

/** Forms of a given name that stands alone, for finding it beside a company. */
export function givenForms({ tokens }: Reading): string[] {
  const [first] = tokens;
  return first === undefined ? [] : unique([...forms([first]), ...otherForms(plainOf(first))]).slice(0, MOST_FORMS);
}

/** A phrase of one field: as written, in plain letters, with the accents that belong to it, romanised. */
function forms(tokens: readonly string[]): string[] {
  const written = tokens.join(' ');
  const [only] = tokens;
  const romanised = tokens.length === 1 && only !== undefined ? romanisedOf(only) : [plainPhrase(tokens)];
  const accented = tokens.length === 1 && only !== undefined ? accentedForms(plainOf(only)) : [];
  const joints = [written.replaceAll('-', ' '), tokens.length === 2 ? tokens.join('-') : ''];
  const apostrophes = written.includes("'") ? [written.replaceAll("'", '’'), written.replaceAll("'", '')] : [];
  return unique([written, ...romanised, ...accented, ...joints, ...apostrophes]).slice(0, MOST_FORMS);
}

function romanisedOf(token: string): string[] {
  if (token.includes('-') || token.includes("'")) return [plainPhrase([token])];
  const ways = romanise(token);
  const names = ways.flatMap(romanisedForms);
  return isLatin(token) ? [...ways, ...names.slice(0, 4)] : [...ways.slice(0, 3), ...names, ...ways.slice(3)];
}

function hardForms(token: string): string[] {
  const plain = plainOf(token);
  const apart = token.includes('-') ? [token.replaceAll('-', ' '), ...token.split('-')] : [];
  const nicknames = otherForms(plain).flatMap(form => [form, ...accentedForms(form)]);
  const spellings = romanise(token).slice(0, 2).flatMap(otherSpellings);
  const all = isLatin(token)
    ? [...apart, ...umlautsOf(plain), ...nicknames, ...cyrillicOf(plain), ...spellings]
    : [...spellings, ...romanise(token), ...nicknames];
  return unique(all.map(form => form.normalize('NFC'))).slice(0, MOST_HARD_FORMS);
}

/** Of a word without them: Mueller and Muller as Müller, Gross as Größ. */
function umlautsOf(plain: string): string[] {
  const spelledOut = plain.replace(/([aou])e/g, '$1\u0308');
  const leftOff = plain.replace(/[aou]/, '$&\u0308');
  return unique([spelledOut, plain.replace(/([aou])e/g, '$1'), leftOff, leftOff.replace('ss', 'ß')]);
}

/** Where the offices that romanise names disagree. */
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

/** Families of two to four characters and no space: the first is the family's name. */
function hanPairs(tokens: readonly string[]): NamePair[] {
  const [token = ''] = tokens;
  if (!/^\p{Script=Han}{2,4}$/u.test(token)) return [];
  const [family = '', ...given] = [...token];
  return [{ firsts: [given.join(''), token], lasts: [family, token] }];
}

const TO_CYRILLIC: readonly (readonly [RegExp, string])[] = [
  [/shch/g, 'щ'],
  [/zh/g, 'ж'],
  [/kh/g, 'х'],
  [/ts/g, 'ц'],
  [/ch/g, 'ч'],
  [/sh/g, 'ш'],
  [/yu|iu/g, 'ю'],
  [/ya|ia/g, 'я'],
  [/yo/g, 'ё'],
  [/(^|[aeiou])ye/g, '$1е'],
  [/(?:iy|ii|yy|y)$/g, 'ий'],
  [/([aeou])[yi]/g, '$1й'],
  [/x/g, 'кс'],
];
const LETTERS: Record<string, string> = Object.fromEntries(
  [...'abvgdezijklmnoprstufhyw'].map((letter, at) => [letter, [...'абвгдезийклмнопрстуфхыв'][at] ?? letter]),
);
const SLAVIC = /(ov|ova|ev|eva|in|ina|sky|skiy|skii|skaya|ska|enko|chuk|yuk|uk|ko|ich|ych)$/;

/** Back into Cyrillic what looks as if it came from there. */
function cyrillicOf(plain: string): string[] {
  const names = romanisedForms(plain);
  if (!SLAVIC.test(plain) && names.length === 0) return [];
  return [plain, ...names].slice(0, 4).map(form => {
    const pairs = TO_CYRILLIC.reduce((text, [pattern, letter]) => text.replace(pattern, letter), form);
    return pairs.replace(/[a-z]/g, letter => LETTERS[letter] ?? letter);
  });
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
