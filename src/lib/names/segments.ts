import { isCompany, isDomain, isPlaceholderName, isRoleOnly } from './companyWords.ts';
import { isKnownGivenName } from './givenNames.ts';
import { beginsWithFamily } from './particles.ts';
import { generationOf, isDegree, isTitle } from './titles.ts';
import { type Token, tokensOf } from './tokens.ts';

/** The part between two separators: a person, a company, an occupation. */
export type Segment = {
  text: string;
  tokens: readonly Token[];
  /** How many of the last words a comma says are the family's name; 0 when no comma turned the name. */
  turned: number;
  kind: 'person' | 'company' | 'role' | 'none';
};

/** A name cut into its parts, the one that is the person's first. */
export type CutName = {
  segments: readonly Segment[];
  /** In brackets. */
  bracketed: readonly Segment[];
  /** In quotes: mostly what friends call the person. */
  quoted: readonly string[];
  /** Usernames, addresses. */
  handles: readonly string[];
  emoji: readonly string[];
};

const MOST_CHARACTERS = 300;
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Cs}\p{Variation_Selector}]|\u20e3/gu;
const DECORATION = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{So}\p{Sk}]/gu;
const APOSTROPHES = /[’‘ʼʻ`´′]/g;
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>', '【': '】', '（': '）' };
const QUOTES: Record<string, string> = { '«': '»', '„': '“', '“': '”', '"': '"', '「': '」', '”': '”' };
/** By now the text has only single spaces. */
const CUTS = /[|@•·\\/:—]| -|- | (?:at|from|bei|chez|из) /iu;

export function cutName(written: string): CutName {
  const { text, emoji } = tidied(written);
  const { rest, handles, domains } = withoutHandles(text);
  const { outside, inBrackets, inQuotes } = withoutBrackets(rest);
  const segments = [...outside.split(CUTS).flatMap(commaSegments), ...domains.map(companySegment)].filter(hasWords);
  const bracketed = inBrackets.flatMap(inner => inner.split(CUTS).map(segmentOf)).filter(hasWords);
  const quoted = inQuotes.map(segmentOf).filter(hasWords);
  // Where nothing is outside brackets and quotes, what is inside is the name.
  const [main, ...beside] = [segments, bracketed, quoted].filter(some => some.length > 0);
  return {
    segments: byLikelihood(main ?? []),
    bracketed: beside.includes(bracketed) ? bracketed : [],
    quoted: beside.includes(quoted) ? quoted.map(({ text: nickname }) => nickname) : [],
    handles,
    emoji,
  };
}

/** A text that is one name, its brackets left out. */
export function plainSegment(name: string): Segment {
  return segmentOf(withoutBrackets(tidied(name).text).outside);
}

/** The text without decoration and invisible characters, with letters in their plain form, single spaces and dashes. */
function tidied(written: string): { text: string; emoji: string[] } {
  const kept = written
    .slice(0, MOST_CHARACTERS)
    .replace(APOSTROPHES, "'")
    .replace(/[│┃¦‖┆┊]/g, '|');
  const emoji = kept.match(/\p{Extended_Pictographic}|\p{Regional_Indicator}{2}/gu) ?? [];
  const text = kept
    .replace(DECORATION, ' ')
    .normalize('NFKC')
    .replace(DECORATION, ' ')
    .replace(INVISIBLE, match => (/\s/.test(match) ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .replace(/[–―~]/g, '-')
    .replace(/-{2,}/g, '—')
    .replace(/(\p{L})・(?=\p{L})/gu, '$1 ');
  return { text: text.trim(), emoji: [...new Set(emoji)] };
}

const EMAIL = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/;
const LINK = /^(?:https?:\/\/|(?:www\.)?(?:t|telegram)\.me\/)\S+$/i;
/** A capitalized one without a digit is more likely a company: @Acme. */
const USERNAME = /^@(?:[a-z][a-z0-9_]{4,31}|[A-Za-z]{1,31}[\d_]\w{0,31})$/;

function withoutHandles(text: string) {
  const [handles, domains, rest]: [string[], string[], string[]] = [[], [], []];
  for (const word of text.split(' ')) {
    const inner = word.replace(/^[(,;]/, '').replace(/[),;]$/, '');
    if (EMAIL.test(inner) || LINK.test(inner) || USERNAME.test(inner)) handles.push(inner);
    else if (isDomain(inner)) domains.push(inner);
    else rest.push(word);
  }
  return { rest: rest.join(' '), handles, domains };
}

/** One pass over the text; an unclosed bracket or quote runs to the end. */
function withoutBrackets(text: string) {
  const [inBrackets, inQuotes]: [string[], string[]] = [[], []];
  let [outside, inner, closing, target] = ['', '', '', inBrackets];
  for (const letter of text) {
    if (closing === '') {
      target = letter in QUOTES ? inQuotes : inBrackets;
      closing = CLOSING[letter] ?? QUOTES[letter] ?? '';
      outside += closing === '' ? letter : ' ';
    } else if (letter === closing) {
      target.push(inner.trim());
      [inner, closing] = ['', ''];
    } else inner += letter;
  }
  if (inner.trim() !== '') target.push(inner.trim());
  return { outside: outside.replace(/\s+/g, ' ').trim(), inBrackets, inQuotes };
}

/** "Petrova, Anna" is one name, "Anna Petrova, Acme" a name and something else, "Anna Petrova, MBA" one name again. */
function commaSegments(text: string): Segment[] {
  const parts = text.split(',').map(part => part.trim());
  const [first = '', ...others] = parts.filter(part => tokensOf(part).length > 0);
  const [behind, apart] = divided(others, part => tokensOf(part).every(isBehindAName));
  const [second, ...more] = apart;
  if (second === undefined) return [segmentOf([first, ...behind].join(' '))];
  if (!isTurned(tokensOf(first), tokensOf(second))) {
    return [[first, ...behind].join(' '), ...apart].map(segmentOf);
  }
  const turned = { ...segmentOf([second, first, ...behind].join(' ')), turned: tokensOf(first).length };
  return [turned, ...more.map(segmentOf)];
}

function isBehindAName(token: Token): boolean {
  return isDegree(token.key, token.written) || generationOf(token.key) !== '';
}

function isTurned(family: readonly Token[], given: readonly Token[]): boolean {
  const names = given.filter(({ key }) => !isTitle(key));
  const [only] = family;
  if (!only || names.length === 0 || names.length > 3 || kindOf(given) !== 'person' || kindOf(family) !== 'person')
    return false;
  const isGiven = names[0] !== undefined && isKnownGivenName(names[0].key);
  if (family.length === 1) return isGiven || !isKnownGivenName(only.key);
  return (
    beginsWithFamily(family.map(({ key }) => key)) ||
    (family.length <= 3 && isGiven && !family.some(({ key }) => isKnownGivenName(key)))
  );
}

function segmentOf(written: string): Segment {
  const text = written.trim();
  const tokens = tokensOf(text);
  return { text, tokens, turned: 0, kind: isPlaceholderName(text) ? 'none' : kindOf(tokens) };
}

function companySegment(domain: string): Segment {
  return { ...segmentOf(domain), kind: 'company' };
}

function kindOf(tokens: readonly Token[]): Segment['kind'] {
  if (isRoleOnly(tokens)) return 'role';
  const joint = tokens.findIndex(({ written }) => written === '&');
  if (joint > 0) return areBothGiven(tokens[joint - 1], tokens[joint + 1]) ? 'person' : 'company';
  return isCompany(tokens) ? 'company' : 'person';
}

function areBothGiven(one: Token | undefined, other: Token | undefined): boolean {
  return one !== undefined && other !== undefined && isKnownGivenName(one.key) && isKnownGivenName(other.key);
}

function hasWords({ tokens }: Segment): boolean {
  return tokens.length > 0;
}

/** The person first; among several candidates, a known given name and a second word decide. */
function byLikelihood(segments: readonly Segment[]): Segment[] {
  return segments
    .map(segment => ({ segment, points: pointsOf(segment) }))
    .sort((a, b) => b.points - a.points)
    .map(({ segment }) => segment);
}

function pointsOf({ kind, tokens, turned }: Segment): number {
  if (kind !== 'person') return -1;
  const isGiven = tokens.slice(0, 2).some(({ key }) => isKnownGivenName(key));
  const isTitled = tokens.length > 1 && isTitle(tokens[0]?.key ?? '');
  return (isGiven ? 2 : 0) + (isTitled ? 2 : 0) + (turned > 0 ? 1 : 0);
}

function divided<T>(values: readonly T[], holds: (value: T) => boolean): [T[], T[]] {
  return [values.filter(holds), values.filter(value => !holds(value))];
}
