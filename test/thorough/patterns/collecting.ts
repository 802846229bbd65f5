import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import type { Pattern } from './collected.ts';
import { ROOT, readLiterals, SOURCES } from './literals.ts';

const CALLER = /\/((?:src|sandbox)\/[^:)]{1,200}):(\d{1,5}):\d/;

const compiled: Pattern[] = [];
const { literals, compiling } = readLiterals();
const Native = RegExp;

function record(pattern: RegExp): RegExp {
  const frame = new Error().stack?.split('\n').find(line => CALLER.test(line) || line.includes('node_modules')) ?? '';
  const [, path, line] = frame.includes('node_modules') ? [] : (CALLER.exec(frame) ?? []);
  if (path) compiled.push({ source: pattern.source, flags: pattern.flags, at: `${path}:${line}` });
  return pattern;
}

/** What compiles patterns, and what hands words to it as it is loaded: language packs do. */
function compilingFiles(): string[] {
  const files = new Set(compiling.map(at => at.split(':')[0]));
  const names = [...files].map(path => `/${path?.split('/').at(-1)}'`);
  return SOURCES.filter(
    path => files.has(path) || names.some(name => readFileSync(ROOT + path, 'utf8').includes(name)),
  );
}

globalThis.RegExp = new Proxy(Native, {
  construct: (_target, args) => record(Reflect.construct(Native, args)),
  apply: (_target, _self, args) => record(Reflect.construct(Native, args)),
});
for (const path of compilingFiles()) await import(pathToFileURL(ROOT + path).href);
const { readEverything } = await import('./entryPoints.ts');
await readEverything('Please send the offer by Friday, 27 November. Thanks, great! Don’t worry, no problem.');
globalThis.RegExp = Native;

const seen = new Set(compiled.map(({ at }) => at));
const patterns = [...literals, ...compiled];
const distinct = new Map(patterns.map(pattern => [`/${pattern.source}/${pattern.flags}`, pattern]));
parentPort?.postMessage({ patterns: [...distinct.values()], unseen: compiling.filter(at => !seen.has(at)) });
