import anyAscii from 'any-ascii';
import { withoutInvisible } from '../visibleText.ts';
import { isCompany, isDomain, splitCompanyWords, WITH_DIGIT } from './companyWords.ts';
import { isGivenName } from './givenNames.ts';
import { isAddition, isRoleOnly, isTitle } from './titles.ts';
import { isParticle, splitNameTokens, type Token } from './tokens.ts';

/** The part between two separators: a person, a company, an occupation. */
export type Segment = { text: string; tokens: readonly Token[]; kind: 'person' | 'company' | 'role' | 'none' };

const MAX_CHARACTERS = 300;
const isGiven = ({ key }: Token) => isGivenName(key);
const hasWords = ({ tokens }: Segment) => tokens.length > 0;
/** ⒜, Ⓐ, 🄰, 🅐 and 🅰 in a word, one alone being decoration, and ᴀ anywhere. */
const ENCLOSED_LETTERS =
  '\\u249c-\\u24e9\\u{1f110}-\\u{1f129}\\u{1f130}-\\u{1f149}\\u{1f150}-\\u{1f169}\\u{1f170}-\\u{1f189}';
const LETTER = `[\\p{L}${ENCLOSED_LETTERS}]`;
const SMALL_CAPITALS = '\\u0262\\u026a\\u0274\\u0280\\u028f\\u0299\\u029c\\u029f\\u1d00-\\u1d22\\ua730\\ua731\\ua7af';
const DISGUISED = new RegExp(
  `(?<=${LETTER})[${ENCLOSED_LETTERS}]|[${ENCLOSED_LETTERS}](?=${LETTER})|[${SMALL_CAPITALS}]`,
  'gu',
);
const DECORATION = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{So}\p{Sk}]/gu;
const BRACKETED = /\([^)]*\)?|\[[^\]]*\]?|\{[^}]*\}?|<[^>]*>?|【[^】]*】?/gu;
const QUOTED = /«[^«»]*»|„[^„“”]*[“”]|[“”][^“”]*”|"[^"]*"|「[^「」]*」/gu;
/** Assumes single spaces. */
const CUTS = /[|@•·\\/:—]| -|- | (?:at|from|bei|chez|из) /iu;
/** An email address, a link or a username; @Acme is more likely a company. */
const HANDLE =
  /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$|^(?:https?:\/\/|(?:www\.)?(?:t|telegram)\.me\/)\S+$|^@(?:[a-z][a-z0-9_]{4,31}|[A-Za-z]{1,31}[\d_]\w{0,31})$/;
const PLACEHOLDER =
  /^(?:deleted account|unknown(?: user)?|telegram|saved messages|no ?name|none|anonymous|user|guest|admin|без имени|неизвестный|удал[её]нный аккаунт|gelöschtes konto|cuenta eliminada|compte supprimé)$/i;

/** Cuts a name into its parts, the one that is the person's first; `bracketed` stood in brackets. */
export function cutName(written: string): { segments: readonly Segment[]; bracketed: readonly Segment[] } {
  const text = tidyName(written);
  const words = text.replace(BRACKETED, ' ').split(' ');
  const isApart = (word: string, at: number) => isDomain(word) || (at > 1 && !words[at + 1] && WITH_DIGIT.test(word));
  const [apart, others] = [words.filter(isApart), words.filter((word, at) => !isApart(word, at) && !HANDLE.test(word))];
  const parts = others.join(' ').split(CUTS).flatMap(splitAtCommas);
  const segments = [...parts, ...apart.map(toSegment)].filter(hasWords);
  const inBrackets = text.match(BRACKETED)?.map(part => part.replace(/^.|[)\]}>】]$/gu, '')) ?? [];
  const bracketed = inBrackets.flatMap(inner => inner.split(CUTS).map(toSegment)).filter(hasWords);
  // Without text outside brackets, their content is the name.
  const [main, beside] = segments.length > 0 ? [segments, bracketed] : [bracketed, []];
  return { segments: main.toSorted((a, b) => scoreSegment(b) - scoreSegment(a)), bracketed: beside };
}

/** A text that is known to be one name, such as a field of the CRM: it is not split, and its brackets are left out. */
export const toPlainSegment = (name: string): Segment => toSegment(tidyName(name).replace(BRACKETED, ' '));

/** The text without decoration and invisible characters, with letters in their plain form, single spaces and dashes. */
function tidyName(written: string): string {
  return withoutInvisible(written.slice(0, MAX_CHARACTERS))
    .replaceAll('\u20e3', '')
    .replace(DISGUISED, letter => anyAscii(letter).replace(/[()]/g, ''))
    .replace(/[’‘ʼʻ`´′]/g, "'")
    .replace(DECORATION, ' ')
    .normalize('NFKC')
    .replace(DECORATION, ' ')
    .replace(/(?<=(?<!\p{L})\p{L})\/(?=\p{L}(?!\p{L}))/gu, '')
    .replace(/[│┃¦‖┆┊]/g, '|')
    .replace(/[–―~]/g, '-')
    .replace(/-{2,}/g, '—')
    .replace(/\s+|(?<=\p{L})・(?=\p{L})/gu, ' ')
    .trim();
}

/** "Petrova, Anna" is Anna Petrova, "Anna Petrova, Acme" a name and something else, "Anna Petrova, MBA" one name again. */
function splitAtCommas(text: string): Segment[] {
  const [first = '', ...apart] = text.split(',').filter(part => splitNameTokens(part).length > 0);
  const others = apart.filter(part => !splitNameTokens(part).every(isAddition));
  const whole = [first, ...apart.filter(part => !others.includes(part))].join(' ');
  const [second, ...more] = others;
  if (second === undefined || !isTurned(splitNameTokens(first), splitNameTokens(second)))
    return [whole, ...others].map(toSegment);
  return [`${second} ${whole}`, ...more].map(toSegment);
}

/** "Smith, John" and "García López, María", but not "Anna, Acme". */
function isTurned(family: readonly Token[], given: readonly Token[]): boolean {
  const [name] = given.filter(word => !isTitle(word));
  if (!name || family.length > 3 || given.length > 3 || family.some(isGiven)) return false;
  if ([given, family].some(words => classifySegment(words) !== 'person')) return false;
  return family.length === 1 || family.slice(0, 1).some(isParticle) || isGiven(name);
}

/** Quoted words are a nickname of a person, but the name of a company. */
function toSegment(written: string): Segment {
  const text = written.trim();
  const unquoted = text.replace(QUOTED, ' ');
  const isOfCompany = splitCompanyWords(unquoted).length === 0 || classifySegment(splitNameTokens(unquoted)) === 'company';
  const tokens = splitNameTokens(isOfCompany ? text : unquoted);
  if (PLACEHOLDER.test(text)) return { text, tokens, kind: 'none' };
  return { text, tokens, kind: isDomain(text) ? 'company' : classifySegment(tokens) };
}

function classifySegment(tokens: readonly Token[]): Segment['kind'] {
  if (isRoleOnly(tokens)) return 'role';
  const joint = tokens.findIndex(({ written }) => written === '&');
  const around = [tokens[joint - 1], tokens[joint + 1]];
  if (joint > 0) return around.every(word => word && isGiven(word)) ? 'person' : 'company';
  return isCompany(tokens.map(({ written }) => written)) ? 'company' : 'person';
}

/** The person first; among several candidates, a title or a given name decides. */
function scoreSegment({ kind, tokens }: Segment): number {
  if (kind !== 'person') return -1;
  return Number(tokens.slice(0, 2).some(word => isGiven(word) || isTitle(word)));
}
