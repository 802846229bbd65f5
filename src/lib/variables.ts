import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

/** `Name <address>` or an address, on one line. */
export const MAIL_SENDER = /^([^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u;

/** A setting, by the variable of the environment that holds it. */
type Setting = { variable: string; schema: z.ZodType };

export function setting<S extends z.ZodType>(variable: string, schema: S) {
  return { variable, schema };
}

/** The values of a tree of settings, under the same names. */
export type Values<T> = T extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : { [Name in keyof T]: Values<T[Name]> };

const isSetting = (node: object): node is Setting => 'variable' in node && 'schema' in node;

/** Combines a tree's variables into one schema, whose issues name them. */
export function combineSchemas(tree: object) {
  const all = (node: object): [string, z.ZodType][] =>
    isSetting(node) ? [[node.variable, node.schema]] : Object.values(node).flatMap(all);
  return z.object(Object.fromEntries(all(tree)));
}

/** @param parsed what the schema of {@link combineSchemas} returned */
export function pickValues<T extends object>(tree: T, parsed: Record<string, unknown>): Values<T> {
  const read = (node: object): unknown =>
    isSetting(node)
      ? parsed[node.variable]
      : Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, read(inner)]));
  return read(tree) as Values<T>;
}

/** Protects against reading a huge file by a wrong path. */
const MAX_FILE_BYTES = 64 * 1024;

/**
 * Replaces each `NAME_FILE` by `NAME` with what that file holds, less the newline at its end: how Docker, Kubernetes and
 * systemd hand over secrets. A problem is one sentence that quotes neither the file's content nor its path.
 */
export function readFileVariables(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): { values: NodeJS.ProcessEnv; problems: string[] } {
  const values = { ...env };
  const problems: string[] = [];
  for (const name of names) {
    const file = env[`${name}_FILE`];
    delete values[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) {
      problems.push(`${name} and ${name}_FILE: only one of them may be set`);
      continue;
    }
    const read = readShortFile(file);
    if ('problem' in read) problems.push(`${name}_FILE: ${read.problem}`);
    else values[name] = read.text;
  }
  return { values, problems };
}

function readShortFile(file: string): { text: string } | { problem: string } {
  try {
    const fileInfo = statSync(file);
    if (!fileInfo.isFile()) return { problem: 'is not the path of a file' };
    if (fileInfo.size > MAX_FILE_BYTES) return { problem: `the file is larger than ${MAX_FILE_BYTES / 1024} KiB` };
    const text = readFileSync(file, 'utf8').replace(/[\r\n]{1,99}$/, '');
    return text === '' ? { problem: 'the file is empty' } : { text };
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : `the file can’t be read (${code ?? 'unknown reason'})`;
    return { problem: reason };
  }
}
