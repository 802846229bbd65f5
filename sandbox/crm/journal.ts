import { appendFileSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import type { z } from 'zod';
import { StartError } from '../../src/lib/startError.ts';

/** What outlives the process, one line a change, the last line about a thing being the one that counts. */
export type Journal<Entry> = {
  /** As they stood when the journal was opened. */
  entries: Entry[];
  append(entries: readonly Entry[]): void;
  close(): void;
};

/**
 * Opens or makes the file. A line that was cut off by the death of the process is nobody's loss: its answer never went out.
 * Throws {@link StartError} when the file is not ours.
 */
export function openJournal<Entry>(
  file: string,
  schema: z.ZodType<Entry>,
  keyOf: (entry: Entry) => string,
): Journal<Entry> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').slice(0, -1);
  const newest = new Map<string, Entry>();
  for (const line of lines) {
    const entry = readLine(file, line, schema);
    newest.set(keyOf(entry), entry);
  }
  const entries = [...newest.values()];
  const isWhole = text === '' || text.endsWith('\n');
  if (!isWhole || lines.length > 2 * entries.length) {
    writeFileAtomic.sync(file, entries.map(toLine).join(''), { mode: 0o600, fsync: false });
  }
  const handle = openSync(file, 'a', 0o600);
  return {
    entries,
    append: added => appendFileSync(handle, added.map(toLine).join('')),
    close: () => closeSync(handle),
  };
}

function readLine<Entry>(file: string, line: string, schema: z.ZodType<Entry>): Entry {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    throw new StartError(`${file} can't be read. Remove it to begin with a new CRM.`);
  }
}

function toLine(entry: unknown): string {
  return `${JSON.stringify(entry)}\n`;
}
