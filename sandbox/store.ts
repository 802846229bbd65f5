import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { z } from 'zod';
import { parseJson } from './jsonFile.ts';

/** What a sandbox server still knows after a restart. */
export type Store<Entry> = {
  /** By key, in the order in which the keys were added. What is deleted here leaves the file at its next rewrite. */
  entries: Map<string, Entry>;
  /** Adds entries, or replaces those with the same key. The file has them when this returns. */
  put(entries: readonly Entry[]): void;
};

type Options<Entry> = {
  file: string;
  schema: z.ZodType<Entry>;
  keyOf(entry: Entry): string;
  /** What the server begins with when the file is removed, such as `an empty inbox`. */
  fresh: string;
};

const OWN_FILE = { mode: 0o600 } as const;
/** How many lines beyond twice its entries a file may have before it is rewritten. */
const SPARE_LINES = 100;

/**
 * Opens or creates a file of JSON lines, of which the last one for each key counts. A line cut off when the process was
 * killed is dropped: the answer to that request never went out. Throws {@link StartError} when the file is not ours.
 */
export function openStore<Entry>({ file, schema, keyOf, fresh }: Options<Entry>): Store<Entry> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const written = text.split('\n').slice(0, -1);
  const message = `${file} can't be read. Remove it to begin with ${fresh}.`;
  const read = written.map(line => parseJson(line, schema, message));
  const entries = new Map(read.map(entry => [keyOf(entry), entry]));
  let lines = written.length;

  /**
   * A renamed file survives the death of the process; if the machine dies the last change may be lost, which costs a
   * sandbox nothing.
   */
  function writeAnew(): void {
    writeFileAtomic.sync(file, [...entries.values()].map(toLine).join(''), { ...OWN_FILE, fsync: false });
    lines = entries.size;
  }

  if (lines !== entries.size || !/^$|\n$/.test(text)) writeAnew();
  return {
    entries,
    put(added) {
      for (const entry of added) entries.set(keyOf(entry), entry);
      lines += added.length;
      if (lines > 2 * entries.size + SPARE_LINES) writeAnew();
      else appendFileSync(file, added.map(toLine).join(''), OWN_FILE);
    },
  };
}

function toLine(entry: unknown): string {
  return `${JSON.stringify(entry)}\n`;
}
