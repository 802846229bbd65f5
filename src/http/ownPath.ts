/** The path to go back to, if `target` is a path or an address on this very host; else undefined: it may lead away. */
export function toOwnPath(target: string | undefined, host: string | undefined): string | undefined {
  if (!target || !host) return undefined;
  const base = `http://${host}`;
  if (!URL.canParse(target, base)) return undefined;
  const url = new URL(target, base);
  const isOwn = /^https?:$/.test(url.protocol) && url.host === host && !url.pathname.startsWith('//');
  return isOwn ? url.pathname + url.search : undefined;
}

/** A path of this server with one value of its query added or replaced. */
export function withQuery(path: string, name: string, value: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.set(name, value);
  return url.pathname + url.search;
}
