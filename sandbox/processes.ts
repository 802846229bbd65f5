import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a running process, empty when there is none: the system reuses process ids. */
export function commandOf(pid: number): string {
  // Bare Linux images have no ps, other systems no /proc.
  if (process.platform !== 'linux') return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).stdout.toString();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
