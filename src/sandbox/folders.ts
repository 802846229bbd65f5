import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Trouble } from './trouble.ts';

type Say = (sentence: string) => void;

/**
 * The folder itself when it is this user's to write in (made when it is not there), else one under /var/tmp, and says so.
 * What another user started stays theirs: mixing owners in one folder would leave each with half a service.
 */
export function ownFolder(wanted: string, say: Say): string {
  const reason = whyNotOurs(wanted);
  if (!reason) return wanted;
  const instead = fallbackFolder(wanted);
  say(`${wanted} ${reason}: using ${instead}. FORENOON_DATA_DIR chooses another place.`);
  return instead;
}

/** A folder of this user's outside the checkout, always the same one for the same wanted folder. */
export function fallbackFolder(wanted: string): string {
  const root = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
  const hash = createHash('sha256').update(resolve(wanted)).digest('hex').slice(0, 10);
  const folder = join(root, `forenoon-${hash}-${process.getuid?.() ?? 'user'}`);
  const reason = whyNotOurs(folder);
  if (reason) throw new Trouble(`${folder} ${reason}. Set FORENOON_DATA_DIR to a folder of your own.`);
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
