import { readdirSync, readFileSync } from 'node:fs';
import type { Db } from '../../src/lib/db.ts';

/** Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU a process has had so far; 0 for one that is gone. */
export function cpuSeconds(pid: number): number {
  const stat = statOf(pid);
  return stat ? (stat.own + stat.ofGone) / TICKS_PER_SECOND : 0;
}

/** Seconds of CPU all processes of the database's server have had so far, those that have ended among them. */
export async function serverCpuSeconds(db: Db): Promise<number> {
  const { rows } = await db.raw('select pg_backend_pid() as pid');
  const server = statOf(rows[0].pid)?.parent;
  if (!server) throw new Error('the server is not on this machine');
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && statOf(Number(name))?.parent === server)
    .map(Number);
  return [server, ...children].reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

type Stat = { parent: number; own: number; ofGone: number };

function statOf(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name, in brackets, can hold anything. See proc_pid_stat(5).
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, userOfGone = 0, systemOfGone = 0] = fields.slice(11, 15);
  return { parent, own: user + system, ofGone: userOfGone + systemOfGone };
}
