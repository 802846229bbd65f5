import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../src/lib/errors.ts';

type Say = (sentence: string) => void;

/**
 * Returns the folder if this user can write to it (it is created if missing), else one under /var/tmp, and says so.
 * Files of another user are left alone: with mixed owners in one folder neither could run the service.
 */
export function ownFolder(wanted: string, say: Say): string {
  const reason = whyNotOurs(wanted);
  if (!reason) return wanted;
  const instead = requireOurs(fallbackFolder(wanted));
  say(`${wanted} ${reason}: using ${instead}. FORENOON_DATA_DIR chooses another place.`);
  return instead;
}

/** Returns a folder of this user outside the checkout. Its path is stored in the note file, until that is removed. */
export function folderElsewhere(note: string): string {
  const kept = existsSync(note) ? readFileSync(note, 'utf8').trim() : '';
  const folder = requireOurs(kept || join(outside(), `forenoon-${randomBytes(6).toString('hex')}`));
  writeFileSync(note, `${folder}\n`);
  return folder;
}

/** The name follows from the wanted folder, since no note can be written there. */
export function fallbackFolder(wanted: string): string {
  const hash = createHash('sha256').update(wanted).digest('hex').slice(0, 10);
  return join(outside(), `forenoon-${hash}-${process.getuid?.() ?? 'user'}`);
}

/** Survives a restart of the machine, unlike /tmp. */
function outside(): string {
  return existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
}

function requireOurs(folder: string): string {
  const reason = whyNotOurs(folder);
  if (reason) throw new StartError(`${folder} ${reason}. Set FORENOON_DATA_DIR to a folder of your own.`);
  return folder;
}

function whyNotOurs(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    const found = lstatSync(folder);
    if (!found.isDirectory()) return 'is not a folder';
    if (process.getuid && found.uid !== process.getuid()) return 'belongs to another user';
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return 'cannot be written to';
  }
}
