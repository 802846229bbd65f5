/** The words of a text in lower case, split at everything that is no letter and no digit. Accents stay. */
export function tokensOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(token => token !== '');
}

/** Whether every word of the pattern is there; * stands for any letters and digits. */
export function tokenMatcher(pattern: string): (tokens: string[]) => boolean {
  const words = pattern
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}*]+/u)
    .filter(word => word !== '')
    .map(wordMatcher);
  return tokens => words.length > 0 && words.every(matches => tokens.some(matches));
}

function wordMatcher(word: string): (token: string) => boolean {
  if (!word.includes('*')) return token => token === word;
  // Letters, digits and stars only: nothing in it means anything else in a pattern.
  const pattern = new RegExp(`^${word.replace(/\*+/g, '.*')}$`, 'su');
  return token => pattern.test(token);
}
