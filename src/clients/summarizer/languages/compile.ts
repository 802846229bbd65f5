/** Defined by exclusion: a class of all letters is large, and would be repeated many times. */
const REST_OF_WORD = '[^\\s.,;:!?()"،؛؟]{0,30}';

/** What Hebrew and Arabic write at the front of a word: articles, prepositions, "and". */
const PREFIX = '[\\u05d0-\\u05ea\\u0620-\\u064a]{0,4}';
const PREFIXED = /^\*(?=[\p{Script=Hebrew}\p{Script=Arabic}])/u;

const NUMBER = '(?:[12]?\\d|3[01])';

/** Letters and digits of folded text, as plain ranges for the same reason, without the marks of Hebrew and Arabic. */
const LETTER =
  '[0-9a-z\\u00df-\\u00f6\\u00f8-\\u036f\\u0370-\\u05bd\\u05bf-\\u060b\\u060d-\\u061a\\u0620-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff]';
const START = `(?<!${LETTER})`;
const END = `(?!${LETTER})`;

/** Letters of scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Letters that chats write without their marks. */
const UNMARKED: Record<string, string> = {
  ...{ ё: 'е', ą: 'a', ć: 'c', ę: 'e', ł: 'l', ń: 'n', ś: 's', ż: 'z', ź: 'z' },
  ...{ ά: 'α', έ: 'ε', ή: 'η', ί: 'ι', ό: 'ο', ύ: 'υ', ώ: 'ω', ΐ: 'ι' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ة: 'ه', ى: 'ي' },
};
const MARKED = new RegExp(`[${Object.keys(UNMARKED).join('')}]`, 'gu');

/** Folded text as it is also written: "пришлем" for "пришлём", "wysle" for "wyślę". */
export function unmarked(text: string): string {
  return text.replaceAll(MARKED, letter => UNMARKED[letter] ?? letter);
}

/** Matches nothing. */
const NEVER = /(?!)/u;

/**
 * A pattern that finds any of the cues (see `schema.ts`) in folded text: as whole words, or anywhere if the script has
 * no spaces. Every repetition in it is bounded, so that its time grows no faster than the text.
 */
export function compileCues(cues: readonly string[]): RegExp {
  if (cues.length === 0) return NEVER;
  // Whoever adds a line need not mind the order: of two that begin alike, the longer one is found.
  const longestFirst = cues.toSorted((one, other) => wordsIn(other) - wordsIn(one));
  const [unspaced, spaced] = [longestFirst.filter(isUnspaced), longestFirst.filter(cue => !isUnspaced(cue))];
  const choices = [
    spaced.length > 0 ? `${START}(?:${spaced.map(pattern).join('|')})${END}` : '',
    unspaced.map(pattern).join('|'),
  ];
  return new RegExp(choices.filter(Boolean).join('|'), 'u');
}

function wordsIn(cue: string): number {
  return cue.split(' ').length;
}

function isUnspaced(cue: string): boolean {
  return UNSPACED.test(cue);
}

const global = new WeakMap<RegExp, RegExp>();

/** The same pattern, to find every match. */
export function everywhere(pattern: RegExp): RegExp {
  const known = global.get(pattern) ?? new RegExp(pattern.source, 'gu');
  global.set(pattern, known);
  return known;
}

function pattern(cue: string): string {
  return cue
    .split(/( \.{2,3} ?| )/)
    .map(part => {
      if (part.startsWith(' ..')) return between(part.startsWith(' ...') ? 12 : 3, isUnspaced(cue));
      return part === ' ' ? '[ ,]{1,2}' : word(part);
    })
    .join('');
}

/** What may stand between the words of a cue: so many words, or as many letters as they would have. */
function between(words: number, isLetters: boolean): string {
  return isLetters ? `[^\\s.!?。！？]{0,${4 * words}}` : `(?: [^\\s.!?]{1,40}){0,${words}} `;
}

/** The beginning of a sentence, behind the marks that Spanish opens it with. */
const BEGINNING = '(?<=^[¿¡]{0,2})';

function word(part: string): string {
  const [start, rest] = part.startsWith('^') ? [BEGINNING, part.slice(1)] : ['', part];
  const [end, bare] = rest.endsWith('$') ? ['[ .!)…。！～]{0,6}$', rest.slice(0, -1)] : ['', rest];
  const choices = bare.split('/').map(choice =>
    choice
      .replaceAll(/[.$]/g, '\\$&')
      .replace(PREFIXED, PREFIX)
      .replaceAll('*', REST_OF_WORD)
      .replaceAll('#', NUMBER)
      .replaceAll(MARKED, letter => `[${letter}${UNMARKED[letter]}]`),
  );
  return `${start}${choices.length === 1 ? choices[0] : `(?:${choices.join('|')})`}${end}`;
}
