/** By what it is not: a class of all letters is large, and stands in here many times over. */
const REST_OF_WORD = '[^\\s.,;:!?()"]{0,30}';

const NUMBER = '(?:[12]?\\d|3[01])';

/** Letters and digits of folded text, as plain ranges for the same reason. */
const LETTER = '[0-9a-z\\u00df-\\u00f6\\u00f8-\\u036f\\u0370-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff]';
const START = `(?<!${LETTER})`;
const END = `(?!${LETTER})`;

/** Letters that chats write without their marks. */
const UNMARKED: Record<string, string> = { ё: 'е', ą: 'a', ć: 'c', ę: 'e', ł: 'l', ń: 'n', ś: 's', ż: 'z', ź: 'z' };

/** Folded text as it is also written: "пришлем" for "пришлём", "wysle" for "wyślę". */
export function unmarked(text: string): string {
  return text.replaceAll(/[ёąćęłńśżź]/g, letter => UNMARKED[letter] ?? letter);
}

/** Matches nothing. */
export const NEVER = /(?!)/u;

/**
 * A pattern that finds any of the cues (see `schema.ts`) as whole words in folded text. Every repetition in it is bounded, so
 * that its time grows with the text and no faster.
 */
export function compileCues(cues: readonly string[]): RegExp {
  if (cues.length === 0) return NEVER;
  return new RegExp(`${START}(?:${cues.map(pattern).join('|')})${END}`, 'u');
}

const global = new WeakMap<RegExp, RegExp>();

/** The same pattern, to find every place it matches. */
export function everywhere(pattern: RegExp): RegExp {
  const known = global.get(pattern) ?? new RegExp(pattern.source, 'gu');
  global.set(pattern, known);
  return known;
}

function pattern(cue: string): string {
  return cue
    .split(/( \.{2,3} ?| )/)
    .map(part => {
      if (part.startsWith(' ..')) return `(?: [^\\s.!?]{1,40}){0,${part.startsWith(' ...') ? 12 : 3}} `;
      return part === ' ' ? '[ ,]{1,2}' : word(part);
    })
    .join('');
}

function word(part: string): string {
  const [start, rest] = part.startsWith('^') ? ['^', part.slice(1)] : ['', part];
  const [end, bare] = rest.endsWith('$') ? ['[ .!)…]{0,6}$', rest.slice(0, -1)] : ['', rest];
  const choices = bare.split('/').map(choice =>
    choice
      .replaceAll(/[.$]/g, '\\$&')
      .replaceAll('*', REST_OF_WORD)
      .replaceAll('#', NUMBER)
      .replaceAll(/[ёąćęłńśżź]/g, letter => `[${letter}${UNMARKED[letter]}]`),
  );
  return `${start}${choices.length === 1 ? choices[0] : `(?:${choices.join('|')})`}${end}`;
}
