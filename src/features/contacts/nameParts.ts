import type { CrmContact } from '../../clients/crm/types.ts';
import { isLatin, romanise, romanKey } from './romanise.ts';

export type Word = {
  /** Small letters, accents kept. */
  text: string;
  /** In plain Latin letters where the alphabet allows it, the commonest way first. Never empty. */
  forms: readonly string[];
  /** See {@link romanKey}. */
  keys: readonly string[];
  isLatin: boolean;
  isInitial: boolean;
  isParticle: boolean;
  /** Was joined to its neighbour with a hyphen. */
  isJoined: boolean;
};

/** One way to take a written name: its words, and what stood beside it. */
export type Reading = {
  words: readonly Word[];
  /** As written between spaces, small letters, hyphens and apostrophes kept, without titles. */
  tokens: readonly string[];
  /** jr, sr, ii, iii or ''. */
  generation: string;
  /** Cut off: a company, a place, whatever. */
  extras: readonly string[];
};

/** A contact's name, taken apart. */
export type ContactName = { words: readonly Word[]; given: number; generation: string };

const MOST_CHARACTERS = 300;
const MOST_WORDS = 8;

const TITLES = new Set(
  `dr prof professor mr mrs ms mx miss sir dame lord lady herr frau hr fr mme mlle sr sra srta dott dottssa ing dipl mag
  rev phd mba msc bsc ba ma md dds jd esq cpa pmp llm mbe obe dipling eng engr advokat г-н г-жа пан пані`.split(/\s+/),
);
/** `sr` is a title in front and a generation at the end. */
const GENERATIONS = new Map([
  ['jr', 'jr'],
  ['junior', 'jr'],
  ['sr', 'sr'],
  ['senior', 'sr'],
  ['ii', 'ii'],
  ['iii', 'iii'],
  ['iv', 'iv'],
]);
const PARTICLES = new Set(
  `van von vom zu zur zum den der de del della di da do dos das du des la le las los lo el al ul bin ibn ben bint abu
  y e i ter ten te op st san santa saint und af av`.split(/\s+/),
);

const INVISIBLE = /[\p{Cf}\p{Cc}\p{Variation_Selector}]|\u20e3/gu;
const NOT_IN_NAMES = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{N}\p{So}\p{Sk}]/gu;
const APOSTROPHES = /[’‘ʼʻ`´′]/g;
const BRACKETS = /[([{<«„“"【「]([^)\]}>»”“"】」]{0,300})(?:[)\]}>»”“"】」]|$)/g;
const CUTS = /[|@•·\\/:—]|[-–—~]\s|\s(?:at|from|bei|chez|из)\s/iu;

/**
 * Takes a name as people write it in a messenger apart, the likeliest reading first: "🚀 Anna Petrova | Acme" is Anna
 * Petrova with the extra Acme, or else Acme with the extra Anna Petrova. No reading without a letter.
 */
export function readName(written: string): Reading[] {
  const clean = tidy(written);
  const bracketed: string[] = [];
  const outside = clean.replace(BRACKETS, (_all, inner: string) => {
    bracketed.push(inner);
    return ' ';
  });
  const segments = outside.split(CUTS).flatMap(splitAtComma).map(trimmed).filter(isSomething);
  const extras = bracketed.map(trimmed).filter(isSomething);
  const readings = segments.map((segment, at) => read(segment, [...segments.filter((_, n) => n !== at), ...extras]));
  if (readings.length === 0) return extras.map(extra => read(extra, [])).filter(hasWords);
  return readings.filter(hasWords);
}

/** A name that is known to be one, such as a field of the CRM. */
export function readPlainName(name: string): Reading {
  return read(trimmed(tidy(name).replace(BRACKETS, ' ')), []);
}

const parsed = new WeakMap<CrmContact, ContactName>();

export function contactName(contact: CrmContact): ContactName {
  const known = parsed.get(contact);
  if (known) return known;
  const given = readPlainName(contact.firstName);
  const family = readPlainName(contact.lastName);
  const whole = readPlainName(`${contact.firstName} ${contact.lastName}`);
  const name = {
    words: [...given.words, ...family.words],
    given: given.words.length,
    generation: whole.generation,
  };
  parsed.set(contact, name);
  return name;
}

/** Words that make a name: two letters and more, and no particle. */
export function fullWords(reading: Reading): Word[] {
  return reading.words.filter(word => [...word.text].length > 1 && !word.isParticle);
}

function tidy(written: string): string {
  return written
    .slice(0, MOST_CHARACTERS)
    .replace(APOSTROPHES, "'")
    .normalize('NFKC')
    .replace(NOT_IN_NAMES, ' ')
    .replace(INVISIBLE, '');
}

/** "Petrova, Anna" is one name, "Anna Petrova, Acme" is a name and something else. */
function splitAtComma(segment: string): string[] {
  const [before = '', ...after] = segment.split(',');
  return trimmed(before).includes(' ') ? [before, ...after] : [segment.replaceAll(',', ' ')];
}

function trimmed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function isSomething(text: string): boolean {
  return /\p{L}/u.test(text);
}

function hasWords({ words }: Reading): boolean {
  return words.length > 0;
}

function read(segment: string, extras: string[]): Reading {
  const tokens = segment
    .split(/[\s_.,;!?*+=#&]+/)
    .map(token => token.toLowerCase().replace(/[^\p{L}\p{M}'-]/gu, ''))
    .map(token => token.replace(/^['-]+|(?<!['-])['-]+$/g, ''))
    .filter(token => token !== '');
  const last = tokens.length > 2 ? (GENERATIONS.get(tokens.at(-1) ?? '') ?? '') : '';
  const kept = (last === '' ? tokens : tokens.slice(0, -1)).slice(0, MOST_WORDS);
  const named = kept.filter(token => !TITLES.has(token));
  return { words: named.flatMap(wordsOf).slice(0, MOST_WORDS), tokens: named, generation: last, extras };
}

function wordsOf(token: string): Word[] {
  const parts = token.split('-').filter(part => part !== '');
  return parts.map(part => wordOf(part, parts.length > 1));
}

function wordOf(part: string, isJoined: boolean): Word {
  const text = part.replaceAll("'", '');
  const forms = romanise(text);
  const main = forms[0] ?? text;
  return {
    text,
    forms: forms.length > 0 ? forms : [text],
    keys: [...new Set(forms.map(romanKey))],
    isLatin: isLatin(text),
    isInitial: isLatinLetters(main) && [...text].length === 1,
    isParticle: PARTICLES.has(main),
    isJoined,
  };
}

function isLatinLetters(form: string): boolean {
  return /^[a-z]+$/.test(form);
}
