import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Waits until the process holding its standard input is gone, killed or not, then ends the Postgres in the given folder
 * and removes the folder. Outlives Ctrl-C by running in a session of its own.
 */

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: sweeper.ts FOLDER');

process.stdin.resume().on('end', () => void sweep(folder));

async function sweep(folder: string): Promise<void> {
  const pidFile = join(folder, 'postgres', 'postmaster.pid');
  const end = Date.now() + 10_000;
  while (existsSync(pidFile) && Date.now() < end) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    try {
      // "Immediate shutdown": nothing in there is worth a checkpoint.
      process.kill(pid, 'SIGQUIT');
    } catch {
      break;
    }
    await sleep(50);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
