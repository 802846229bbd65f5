import { romanise } from './romanise.ts';

/** A word of a name. */
export type Token = {
  /** With its capitals, apostrophes and the dot behind it. */
  written: string;
  /** Small letters, without dots and apostrophes. */
  small: string;
  /** The same in plain Latin letters where the alphabet allows it. */
  key: string;
};

const MOST_TOKENS = 24;

/** The words of a text that was tidied, with `&` as a word of its own; digits stay. */
export function tokensOf(text: string): Token[] {
  return text
    .replace(/&/g, ' & ')
    .replace(/(\p{L}{2})\.(?=\p{L}{2})/gu, '$1 ')
    .split(/[\s_,;!?*+=#"]/)
    .map(bare)
    .filter(written => written === '&' || /\p{L}/u.test(written))
    .slice(0, MOST_TOKENS)
    .map(tokenOf);
}

/** A word without the digits people put behind their names. */
export function withoutDigits(token: Token): Token {
  const written = token.written.replace(/\p{N}/gu, '');
  return written === token.written ? token : tokenOf(written);
}

export function tokenOf(written: string): Token {
  const small = written.toLowerCase().replace(/[.']/g, '');
  return { written, small, key: romanise(small.replace(/[^\p{L}\p{M}]/gu, ''))[0] ?? small };
}

export function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ written }) => written).join(' ');
}

/** The word without the signs around it, except the dot that ends an abbreviation. */
function bare(word: string): string {
  const letters = [...word];
  const isPart = (letter: string) => /[\p{L}\p{M}\p{N}&]/u.test(letter);
  const [first, last] = [letters.findIndex(isPart), letters.findLastIndex(isPart)];
  if (first < 0) return '';
  return letters.slice(first, letters[last + 1] === '.' ? last + 2 : last + 1).join('');
}
