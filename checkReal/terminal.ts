import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Ask } from './checks.ts';

/** Asks on a terminal, or a pipe that answers line by line. What is secret is not shown while it is typed. */
export function openTerminal(): { ask: Ask; close(): void } {
  let isMuted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  const waiting: ((line: string) => void)[] = [];
  let isOver = false;
  lines.on('line', line => waiting.shift()?.(line));
  lines.on('close', () => {
    isOver = true;
    for (const answer of waiting.splice(0)) answer('');
  });
  return {
    async ask(question, { isSecret = false } = {}) {
      process.stdout.write(question);
      if (isOver) return '';
      isMuted = isSecret;
      const answer = await new Promise<string>(resolve => waiting.push(resolve));
      isMuted = false;
      if (isSecret || !process.stdin.isTTY) process.stdout.write('\n');
      return answer;
    },
    close: () => lines.close(),
  };
}
