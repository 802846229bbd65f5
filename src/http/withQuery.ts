/** A path of this server with one value of its query added or replaced. */
export function withQuery(path: string, name: string, value: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.set(name, value);
  return url.pathname + url.search;
}
