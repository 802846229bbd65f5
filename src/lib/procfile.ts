import { readFileSync } from 'node:fs';
import { StartError } from './startError.ts';

/** One line of the Procfile, cut into words. No shell: what it needs comes from the environment. */
export type ProcessLine = { name: string; command: string; args: string[] };

export function readProcfile(file: string): ProcessLine[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() && !line.trim().startsWith('#'))
    .map(line => {
      const [, name, rest] = /^([\w-]+):\s*(\S.*)$/.exec(line.trim()) ?? [];
      const [command, ...args] = rest?.split(/\s+/) ?? [];
      if (!name || !command) throw new StartError(`${file}: not "name: command": ${line}`);
      return { name, command, args };
    });
}

export function lineNamed(lines: ProcessLine[], name: string): ProcessLine {
  const line = lines.find(candidate => candidate.name === name);
  if (!line) throw new StartError(`The Procfile has no line for ${name}.`);
  return line;
}
