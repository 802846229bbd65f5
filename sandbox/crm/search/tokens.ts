/** Returns the words of a text in lower case, split at everything that is neither a letter nor a digit. Accents stay. */
export function tokensOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(token => token !== '');
}

/** Whether the text has every word of the pattern; * matches any letters and digits. */
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
  const parts = word.split(/\*+/);
  const [head = '', tail = ''] = [parts.at(0), parts.at(-1)];
  const standsIn = (token: string) => standInOrder(parts.slice(0, -1), token.slice(0, token.length - tail.length));
  return token => token.length >= head.length + tail.length && token.endsWith(tail) && standsIn(token);
}

/** Whether the token contains the parts in this order, the first at its beginning. */
function standInOrder([head = '', ...parts]: string[], token: string): boolean {
  if (!token.startsWith(head)) return false;
  let from = head.length;
  for (const part of parts) {
    const at = token.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
