import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Waits until the process holding its standard input is gone, killed or not, then ends the Postgres in the given folder
 * and whatever else the run's tests have started, and removes the folder. Outlives Ctrl-C by running in a session of its own.
 */

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: sweeper.ts FOLDER');

process.stdin.resume().on('end', () => void sweep(folder));

async function sweep(folder: string): Promise<void> {
  const pidFile = join(folder, 'postgres', 'postmaster.pid');
  const end = Date.now() + 10_000;
  while (existsSync(pidFile) && Date.now() < end) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    // "Immediate shutdown": nothing in there is worth a checkpoint.
    if (!endProcess(pid, 'SIGQUIT')) break;
    await sleep(50);
  }
  for (const pid of findProcesses(`FORENOON_TEST_RUN=${folder}`)) endProcess(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Other processes with this variable, where the system shows that of others. */
function findProcesses(variable: string): number[] {
  if (!existsSync('/proc/self/environ')) return [];
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.map(Number).filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable);
    } catch {
      return false;
    }
  });
}

/** False if it is gone. */
function endProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
