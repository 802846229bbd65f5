import anyAscii from 'any-ascii';

/** Alphabets with a usual romanisation; words in others are compared as they are. */
const ROMANISABLE = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]+$/u;
const LATIN = /^\p{Script=Latin}+$/u;

type Rules = readonly (readonly [RegExp, string])[];

const GERMAN_AND_NORDIC: Rules = [
  [/[äæ]/g, 'ae'],
  [/[öøœ]/g, 'oe'],
  [/ü/g, 'ue'],
  [/å/g, 'aa'],
  [/đ/g, 'dj'],
];

/** Greek pairs of letters, which the library romanises letter by letter. */
const GREEK: Rules = [
  [/ου/g, 'ou'],
  [/([αε])υ(?=[βγδζλμνραεηιουω])/g, '$1v'],
  [/([αε])υ/g, '$1f'],
  [/μπ/g, 'b'],
  [/ντ/g, 'nt'],
  [/γγ/g, 'ng'],
  [/γκ/g, 'gk'],
  [/χ/g, 'ch'],
  [/υ/g, 'y'],
];

/** Ways to write Cyrillic in Latin letters, the more common first. Each lists only what differs from the library's. */
const CYRILLIC_STYLES: readonly Rules[] = [
  [[/[иіы]й$/, 'y']],
  [
    [/[иіы]й$/, 'ii'],
    [/й/g, 'i'],
    [/ю/g, 'iu'],
    [/я/g, 'ia'],
  ],
  [[/[иіы]й$/, 'iy']],
  [
    [/г/g, 'h'],
    [/и/g, 'y'],
    [/ий$/, 'yi'],
    [/й/g, 'i'],
    [/ї/g, 'i'],
    [/([^аеєиіїоуюя]|^)ю/g, '$1iu'],
    [/([^аеєиіїоуюя])я/g, '$1ia'],
  ],
  [
    [/[иіы]й$/, 'y'],
    [/ё/g, 'yo'],
    [/(^|[аеиоуьъ])е/g, '$1ye'],
  ],
  [
    [/[иіы]й$/, 'i'],
    [/й/g, 'i'],
    [/кс/g, 'x'],
    [/х/g, 'h'],
    [/ё/g, 'e'],
  ],
  [
    [/в/g, 'w'],
    [/[иі]й$/, 'ij'],
    [/й/g, 'j'],
    [/ю/g, 'ju'],
    [/я/g, 'ja'],
    [/х/g, 'ch'],
    [/ш/g, 'sch'],
  ],
];

/**
 * A word in plain small Latin letters, the commonest way first: Müller as muller and mueller, Дмитрий as dmitry,
 * dmitrii and so on. A word of an alphabet that is not romanised stands for itself.
 */
export function romanise(word: string): string[] {
  const small = word.toLowerCase();
  const bare = small.normalize('NFD').replace(/\p{M}/gu, '');
  if (!ROMANISABLE.test(bare)) return [bare.normalize('NFC')];
  if (LATIN.test(bare)) return unique([plain(bare), plain(apply(GERMAN_AND_NORDIC, small.normalize('NFC')))]);
  if (/\p{Script=Greek}/u.test(bare)) return unique([plain(apply(GREEK, bare)), plain(bare)]);
  return unique(CYRILLIC_STYLES.map(style => plain(apply(style, small.normalize('NFC')))));
}

export function isLatin(word: string): boolean {
  return LATIN.test(word.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** A key that all ways to write one Slavic or Greek name share. Coarse: other names share it, too. */
export function romanKey(plainWord: string): string {
  return apply(KEY, plainWord);
}

const KEY: Rules = [
  [/shch|schtsch|stsch|sch/g, 'sh'],
  [/tsch|tch/g, 'ch'],
  [/zh/g, 'z'],
  [/kh/g, 'h'],
  [/tz/g, 'ts'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/ck/g, 'k'],
  [/x/g, 'ks'],
  [/w/g, 'v'],
  [/ou/g, 'u'],
  [/oy(?=[^aeiouy])/g, 'u'],
  [/([^aeiou])yo/g, '$1e'],
  [/(?<![iyj])[iyj]+a/g, 'ia'],
  [/(?<![iyj])[iyj]+u/g, 'u'],
  [/(?<![iyj])[iyj]+e/g, 'e'],
  [/(?<![iyj])[iyj]+$/, 'i'],
  [/[yj]/g, 'i'],
  [/(.)\1+/g, '$1'],
];

function apply(rules: Rules, word: string): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), word);
}

function plain(word: string): string {
  return anyAscii(word)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].filter(word => word !== '');
}
