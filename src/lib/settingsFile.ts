import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartError } from './errors.ts';

/** Values by variable name. An empty value means that the operator chose to leave the setting out. */
export type KeptSettings = Record<string, string>;

const HEADER = `# Forenoon's settings, written by npm start -- --setup. Variables of the environment win over them.
# Keep this file: without its ENCRYPTION_KEY the stored Telegram session can’t be read.
`;

/** The settings in a file, none where there is no file. Throws {@link StartError} when it can’t be read. */
export function readSettings(file: string): KeptSettings {
  if (!existsSync(file)) return {};
  try {
    return parseEnv(readFileSync(file, 'utf8')) as KeptSettings;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'not readable';
    throw new StartError(`${file} can’t be read (${code}).`);
  }
}

/**
 * Replaces the file in one step, readable by its owner only, so that a killed process leaves the old one or the new one.
 * Throws {@link StartError} for a value that a line can't hold.
 */
export function writeSettings(file: string, settings: KeptSettings): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoteValue(name, value)}\n`);
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  const handle = openSync(fresh, 'wx', 0o600);
  try {
    writeFileSync(handle, HEADER + lines.join(''));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(fresh, file);
}

/** Puts a value in quotes that it doesn't contain itself: the format has no escapes. */
function quoteValue(name: string, value: string): string {
  const quote = ["'", '"', '`'].find(mark => !value.includes(mark));
  // Double quotes would turn \n into a line break.
  const isPlain = quote !== undefined && !/[\r\n]/.test(value) && !(quote === '"' && value.includes('\\'));
  if (!isPlain) throw new StartError(`${name} can’t be kept in a settings file: it has line breaks or all kinds of quotes.`);
  return `${quote}${value}${quote}`;
}
