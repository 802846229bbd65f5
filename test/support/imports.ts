import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository; paths of sources are relative to it. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A file of TypeScript, and which of ours it imports. */
export type Source = { path: string; text: string; imports: string[] };

export function sourcesUnder(folder: string): Source[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return paths
    .filter(path => path.endsWith('.ts'))
    .map(path => join(folder, path))
    .map(path => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

/** Paths from the root of what a file imports of ours, static and dynamic. */
function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...found].map(([, target = '']) => relative(ROOT, join(ROOT, dirname(path), target)));
}

/** Files that can reach themselves by imports, one list for each circle (Tarjan's strongly connected components). */
export function circlesIn(files: Source[]): string[][] {
  const imports = new Map(files.map(({ path, imports: targets }) => [path, targets]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const number = order.size;
    order.set(path, number);
    lowest.set(path, number);
    open.push(path);
    for (const target of imports.get(path) ?? []) {
      if (!imports.has(target)) continue;
      const reached = order.has(target) ? (open.includes(target) ? (order.get(target) ?? number) : number) : visit(target);
      lowest.set(path, Math.min(lowest.get(path) ?? number, reached));
    }
    const low = lowest.get(path) ?? number;
    if (low === number) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) circles.push(circle);
    }
    return low;
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return circles;
}
