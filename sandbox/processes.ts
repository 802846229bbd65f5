import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a living process, empty when there is none: numbers are given out again. */
export function commandOf(pid: number): string {
  // Bare Linux images have no ps, other systems no /proc.
  if (process.platform !== 'linux') return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).stdout.toString();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
