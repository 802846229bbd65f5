/** A path of this server with one more value in its query, or another one. */
export function withQuery(path: string, name: string, value: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.set(name, value);
  return url.pathname + url.search;
}
