/** Whether two stems may be of one word: the same, or the longer one begins with the shorter. */
export function alike(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= 4 && long.startsWith(short.slice(0, Math.max(4, short.length - 1)));
}

export function isAbout(stems: ReadonlySet<string>, said: readonly string[]): boolean {
  return said.some(stem => [...stems].some(other => alike(stem, other)));
}
