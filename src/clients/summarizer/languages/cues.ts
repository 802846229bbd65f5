/** By what it is not: a class of all letters is large, and stands in here many times over. */
const REST_OF_WORD = '[^\\s.,;:!?()"]{0,30}';

/** Letters and digits of folded text, as plain ranges for the same reason. */
const LETTER = '[0-9a-z\\u00df-\\u00f6\\u00f8-\\u036f\\u0370-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff]';
const START = `(?<!${LETTER})`;
const END = `(?!${LETTER})`;

/** Matches nothing. */
export const NEVER = /(?!)/u;

/**
 * A pattern that finds any of the phrases as whole words in folded text. `*` stands for the rest of a word, ` .. ` for
 * up to three words between, ` ... ` for up to twelve, `a/b` for either word, `^` for the beginning of the sentence.
 */
export function cue(...phrases: string[]): RegExp {
  return new RegExp(`${START}(?:${phrases.map(pattern).join('|')})${END}`, 'u');
}

/** The phrases of {@link cue} in every combination: one of `first`, then one of `then`; `''` between makes one word of them. */
export function pairs(first: string[], then: string[], between = ' '): RegExp {
  const [left, right] = [first, then].map(phrases => `(?:${phrases.map(pattern).join('|')})`);
  const gap = pattern(between);
  return new RegExp(`${START}${left}${gap}${right}${END}`, 'u');
}

/** Any of the patterns. */
export function either(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 'u');
}

const global = new WeakMap<RegExp, RegExp>();

/** The same pattern, to find every place it matches. */
export function everywhere(pattern: RegExp): RegExp {
  const known = global.get(pattern) ?? new RegExp(pattern.source, 'gu');
  global.set(pattern, known);
  return known;
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter(Boolean));
}

function pattern(phrase: string): string {
  return phrase
    .split(/( \.{2,3} ?| )/)
    .map(part => {
      if (part.startsWith(' ..')) return `(?:\\s+[^\\s.!?]{1,40}){0,${part.startsWith(' ...') ? 12 : 3}}\\s+`;
      return part === ' ' ? '\\s+' : word(part);
    })
    .join('');
}

function word(part: string): string {
  const [anchor, rest] = part.startsWith('^') ? ['^', part.slice(1)] : ['', part];
  const choices = rest
    .split('/')
    .map(choice => choice.replace(/[.+?()[\]{}|\\$]/g, '\\$&').replaceAll('*', REST_OF_WORD));
  return `${anchor}${choices.length === 1 ? choices[0] : `(?:${choices.join('|')})`}`;
}
