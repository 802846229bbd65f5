import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { simple } from 'acorn-walk';
import type { Pattern } from './collected.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const SOURCES = globSync('{src,sandbox}/**/*.ts', { cwd: ROOT }).sort();

/** The regular expression literals of src and sandbox, and the places that compile others. */
export function readLiterals(): { literals: Pattern[]; compiling: string[] } {
  const literals: Pattern[] = [];
  const compiling: string[] = [];
  for (const path of SOURCES) {
    // Types give way to spaces, so that lines and columns stay.
    const code = stripTypeScriptTypes(readFileSync(ROOT + path, 'utf8'));
    const tree = parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true });
    const compiles = ({
      callee,
      loc,
    }: {
      callee: { type: string; name?: string };
      loc?: { start: { line: number } };
    }) => {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') compiling.push(`${path}:${loc?.start.line}`);
    };
    simple(tree, {
      Literal(node) {
        const { regex, loc } = node;
        if (regex) literals.push({ source: regex.pattern, flags: regex.flags, at: `${path}:${loc?.start.line}` });
      },
      NewExpression: node => compiles(node as never),
      CallExpression: node => compiles(node as never),
    });
  }
  return { literals, compiling };
}
