/** Matches nothing. */
export const NEVER = /(?!)/u;

/**
 * A pattern that finds any of the phrases as whole words in folded text. `*` stands for the rest of a word, ` .. ` for
 * up to three words between, ` ... ` for up to eight, `a/b` for either word, `^` for the beginning of the sentence.
 */
export function cue(...phrases: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.map(pattern).join('|')})(?![\\p{L}\\p{N}])`, 'u');
}

/** The phrases of {@link cue} in every combination: one of `first`, then one of `then`. */
export function pairs(first: string[], then: string[], between = ' '): RegExp {
  const [left, right] = [first, then].map(phrases => `(?:${phrases.map(pattern).join('|')})`);
  const gap = between === ' ' ? '\\s+' : pattern(between);
  return new RegExp(`(?<![\\p{L}\\p{N}])${left}${gap}${right}(?![\\p{L}\\p{N}])`, 'u');
}

/** Any of the patterns. */
export function either(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 'u');
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter(Boolean));
}

function pattern(phrase: string): string {
  return phrase
    .split(/( \.{2,3} ?| )/)
    .map(part => {
      if (part.startsWith(' ..')) return `(?:\\s+[^\\s.!?]+){0,${part.startsWith(' ...') ? 8 : 3}}\\s+`;
      return part === ' ' ? '\\s+' : word(part);
    })
    .join('');
}

function word(part: string): string {
  const choices = part.split('/').map(choice => {
    const escaped = choice.replace(/[.+?()[\]{}|\\$]/g, '\\$&').replaceAll('*', "[\\p{L}\\p{M}']*");
    return escaped.startsWith('^') ? `^${escaped.slice(1)}` : escaped;
  });
  return choices.length === 1 ? (choices[0] ?? '') : `(?:${choices.join('|')})`;
}
