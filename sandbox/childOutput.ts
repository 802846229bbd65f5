import { join } from 'node:path';
import { z } from 'zod';
import { createRotatingLog } from './rotatingLog.ts';

const WARNING_LEVEL = 40;

const logLine = z.object({
  level: z.number(),
  msg: z.string().default(''),
  err: z.object({ message: z.string().optional() }).optional(),
});

export type ChildOutput = (name: string, line: string, stream: 'stdout' | 'stderr') => void;

/**
 * Writes everything a child process prints to a log of its own; the terminal shows only the lines that need attention,
 * each as one readable line.
 */
export function keepChildOutput(folder: string, say: (line: string) => void, everything: boolean): ChildOutput {
  const logs = new Map<string, ReturnType<typeof createRotatingLog>>();
  return (name, line, stream) => {
    const log = logs.get(name) ?? createRotatingLog(join(folder, `${name}.log`));
    logs.set(name, log);
    log.write(`${line}\n`);
    const words = wordsOf(line, everything);
    if (words) say(`${name}: ${words}`);
    else if (words === undefined && (everything || stream === 'stderr')) say(`${name}: ${line}`);
  };
}

/** Returns a log line in words, '' when it needs no attention, and undefined for a line that is no log line. */
function wordsOf(line: string, everything: boolean): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { level, msg, err } = logLine.parse(JSON.parse(line));
    if (level < WARNING_LEVEL && !everything) return '';
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return undefined;
  }
}
