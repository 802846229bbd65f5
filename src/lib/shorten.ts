/** At most `limit` characters, cut between words where there are short ones, with an ellipsis for what is missing. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const space = cut.lastIndexOf(' ');
  const kept = space >= limit / 2 ? cut.slice(0, space) : cut.slice(0, -1).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.replace(/(?<![\s,;:.–—-])[\s,;:.–—-]+$/u, '')}…`;
}
