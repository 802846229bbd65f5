import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Together a log takes up to 20 MB: about 100,000 lines, weeks of one person's installation. */
const BYTES_A_FILE = 5_000_000;
const OLDER_FILES = 3;
const BYTES_A_LINE = 100_000;

/**
 * Appends lines to a file. When it is full it is renamed to `.1`, the one before to `.2`, and the oldest is replaced.
 * Each line is written at once and each rename is whole, so that nothing is lost when the process is killed, and the
 * next start goes on where this one ended: what a crash left in the log is there to be read.
 */
export function createRotatingLog(file: string, { bytes = BYTES_A_FILE, older = OLDER_FILES } = {}) {
  mkdirSync(dirname(file), { recursive: true });
  let descriptor = openSync(file, 'a', 0o600);
  let size = statSync(file).size;
  return {
    write(line: string): void {
      const text = Buffer.from(line.length > BYTES_A_LINE ? `${line.slice(0, BYTES_A_LINE)}…\n` : line);
      if (size > 0 && size + text.length > bytes) {
        closeSync(descriptor);
        shift(file, older);
        descriptor = openSync(file, 'a', 0o600);
        size = 0;
      }
      size += writeSync(descriptor, text);
    },
  };
}

/** From the oldest on: a kill in between leaves a gap that the next one closes. */
function shift(file: string, older: number): void {
  for (let n = older; n > 0; n--) {
    const newer = n === 1 ? file : `${file}.${n - 1}`;
    if (existsSync(newer)) renameSync(newer, `${file}.${n}`);
  }
}
