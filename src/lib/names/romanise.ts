import anyAscii from 'any-ascii';

type Rules = readonly (readonly [RegExp, string])[];

/** Replacements, one after the other: `pattern replacement, pattern replacement`. */
function parseRules(text: string): Rules {
  const pairs = text.split(',').map(rule => rule.trim().split(' '));
  return pairs.map(([pattern = '', replacement = '']) => [new RegExp(pattern, 'gu'), replacement]);
}

function applyRules(replacements: Rules, word: string): string {
  return replacements.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), word);
}

/** Alphabets with a usual romanisation. Other scripts don't tell how a name is written in Latin letters. */
const ROMANISABLE = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{M}]+$/u;
const LATIN = /^[\p{Script=Latin}\p{M}]+$/u;

/** Other ways to write letters in Latin than the library's, the more common first. */
const LATIN_STYLES = [[], parseRules('[äæ] ae, [öøœ] oe, ü ue, å aa'), parseRules('[šş] sh, [čćç] ch, ž zh, đ dj')];
const GREEK_STYLES = [parseRules('ου ou, ([αε])υ(?=[βγδζλμνραεηιουω]) $1v, ([αε])υ $1f, μπ b, γγ ng, χ ch, υ y'), []];
/** Romanization styles of names, passports and banks of several countries. */
const CYRILLIC_STYLES = [
  parseRules('[иіы]й$ y, ия$ ia'),
  parseRules('[иіы]й$ ii, й i, ь[её] ie, ю iu, я ia'),
  [],
  parseRules('г h, ий$ yi, и y, [йї] i, (?<=.)ю iu, (?<=.)я ia'),
  parseRules('[иіы]й$ y, й i, ия$ ia, ё yo, (?<=^|[аеиоуьъ])е ye'),
  parseRules('[иіы]й$ y, ия$ ia, кс x, х h, щ sch'),
  parseRules('г h, ий$ y, и y, й i'),
];

/** A word in plain small Latin letters, commonest way first: Дмитрий as dmitry, dmitrii. Others stay as they are. */
export function romanise(word: string): string[] {
  const small = word.toLowerCase().normalize('NFC');
  const bare = small.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
  if (!isRomanisable(bare)) return [bare];
  if (isLatin(bare)) return romaniseInStyles(small, LATIN_STYLES);
  return /\p{Script=Greek}/u.test(bare) ? romaniseInStyles(bare, GREEK_STYLES) : romaniseInStyles(small, CYRILLIC_STYLES);
}

/** Accents that people leave out, in languages where that is usual: `\u0301` is the acute one, `\u0308` two dots. */
const ACCENTS = [
  parseRules('(?<=[aeiou])n(?=[eo]) ñ, ([aeiou])(?=[^aeiou]+ez$) $1\u0301, ia$ ía'),
  parseRules('^e é, e$ é, ([aeo])(?=[ns]$) $1\u0301'),
  parseRules('^([^aeiou]?[aeio]) $1\u0301'),
  parseRules('c(?=al|ao|oi) ç, e(?=[^aeiou][^aeiou]?e$) è, e$ ë, ao$ ão, nes$ nês'),
  parseRules('([aou])e $1\u0308'),
  parseRules('^([^aeiou]*[aou]) $1\u0308, ss$ ß'),
  parseRules('^([^aeiou]*)o $1ø'),
  parseRules('i ı, ^s ş, ^c ç'),
  parseRules('^l ł, l$ ł, s(?=n) ś, n(?=sk) ń, o(?=jc) ó'),
  parseRules('^s š, ^c č, ^z ž, a(?=k$) á, ic$ ić, as$ áš, (?<=..)s$ š'),
];

/** The ways in which a word without accents may be written with them. */
export function listAccented(word: string): string[] {
  if (!/^[a-z]+$/.test(word)) return [];
  const ways = ACCENTS.map(style => applyRules(style, word).normalize('NFC'));
  return [...new Set(ways)].filter(form => form !== word);
}

function romaniseInStyles(word: string, styles: readonly Rules[]): string[] {
  return [...new Set(styles.map(style => toLatinLetters(applyRules(style, word))))].filter(form => form !== '');
}

export const isLatin = (word: string) => LATIN.test(word);
export const isRomanisable = (word: string) => ROMANISABLE.test(word);

/** A word in plain small Latin letters, as far as the library knows: chenwei for 陈伟, hsn for الحسن without its article. */
export function toLatinLetters(word: string): string {
  const letters = anyAscii(word.replace(/^ال(?=\p{L}{2})/u, '')).toLowerCase();
  return letters.replace(/[^a-z]/g, '');
}

const KEY_RULES = parseRules(
  `shch|schtsch|stsch|sch sh, tsch|tch ch, zh z, kh h, tz ts, ph f, th t, ck k, x ks, w v, ou u, oy(?=[^aeiouy]) u,
  ([^aeiou])yo $1e, (?<![aeiou])([ou])e(?=[^aeiou]) $1, (?<![iyj])[iyj]+a ia, (?<![iyj])[iyj]+u u, (?<![iyj])[iyj]+e e,
  (?<![iyj])[iyj]+$ i, [yj] i, (.)\\1+ $1`,
);

/** A key that all ways to write one Slavic or Greek name share. Coarse: other names share it, too. */
export const romanKey = (plainWord: string): string => applyRules(KEY_RULES, plainWord);
