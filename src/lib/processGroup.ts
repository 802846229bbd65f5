import { join } from 'node:path';
import { lineNamed, readProcfile } from './procfile.ts';
import { runToEnd, type Surroundings, supervise } from './supervisor.ts';

/** A process may take 25 seconds to end politely; hosts kill 30 seconds after SIGTERM. */
const GRACE_MS = 27_000;
/** With pauses growing from 0.5 to 16 seconds this is about half a minute, after which the host should know. */
const GIVE_UP_AFTER = 7;

type Group = {
  /** The folder of the Procfile. */
  root: string;
  env: NodeJS.ProcessEnv;
  /** Passed on to all processes as SIGTERM when it is aborted. */
  stop: AbortSignal;
  log: (line: string) => void;
  /** For tests. */
  giveUpAfter?: number;
};

/**
 * Runs the whole service as one group of processes, for hosts with room for one: the Procfile's `release` to its end, then
 * `web` and `worker`. One that ends is started again after a pause, so that a crash of the worker takes no page down. One
 * that ends seven times in a row ends the group, so that the host starts it anew or shows that it failed.
 * Resolves with the exit code: 0 after `stop`, 1 when the migrations failed or a process was given up.
 */
export async function runGroup({ root, env, stop, log, giveUpAfter = GIVE_UP_AFTER }: Group): Promise<number> {
  const lines = readProcfile(join(root, 'Procfile'));
  // Each line says itself which process wrote it.
  const output: Surroundings['output'] = (_name, line, stream) => process[stream].write(`${line}\n`);
  const around: Surroundings = { cwd: root, env, log, output };
  const released = await runToEnd(lineNamed(lines, 'release'), around, stop);
  if (stop.aborted) return 0;
  if (released !== 0) {
    log('the database migrations failed: the lines above say why');
    return 1;
  }
  const children = supervise([lineNamed(lines, 'web'), lineNamed(lines, 'worker')], around, { giveUpAfter });
  const stopped = new Promise<undefined>(resolve => stop.addEventListener('abort', () => resolve(undefined)));
  const lost = await Promise.race([stopped, children.gaveUp]);
  if (lost) log(`${lost} ended ${giveUpAfter} times in a row: ending the whole group`);
  await children.stop(GRACE_MS);
  return lost ? 1 : 0;
}
