import { join } from 'node:path';
import { StartError } from '../src/lib/errors.ts';
import { findLine, readProcfile, runToEnd, type Surroundings, supervise } from '../src/lib/supervisor.ts';
import { keepChildOutput } from './childOutput.ts';
import type { Stopping } from './stopping.ts';
import type { Terminal } from './terminal.ts';

const GRACE_MS = 25_000;

/** Web and worker, running. */
export type RunningService = {
  restart(): void;
  /** Ends both politely, does the work, and starts them again. Not after {@link stop}. */
  whileStopped<T>(work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** What a start works with. */
export type Starting = { terminal: Terminal; stopping: Stopping; root: string };

/**
 * Runs the Procfile's `release` to its end, then keeps its `web` and `worker` running. What they print goes to files under
 * the data folder. Throws {@link StartError} when the migrations fail.
 */
export async function runService(
  { env, dataDir, watch }: { env: NodeJS.ProcessEnv; dataDir: string; watch: boolean },
  { terminal, stopping, root }: Starting,
): Promise<RunningService> {
  const { say } = terminal;
  const output = keepChildOutput(join(dataDir, 'logs'), say, watch);
  const processes = readProcfile(join(root, 'Procfile'));
  const around: Surroundings = { cwd: root, env, log: say, output };
  const code = await runToEnd(findLine(processes, 'release'), around);
  stopping.signal.throwIfAborted();
  if (code !== 0) throw new StartError('The database migrations failed: the lines above say why.');

  const begin = () => supervise([findLine(processes, 'web'), findLine(processes, 'worker')], around);
  let children = begin();
  stopping.onSecondRequest(() => children.kill());
  return {
    restart: () => children.restart(),
    async whileStopped(work) {
      await children.stop(GRACE_MS);
      try {
        return await work();
      } finally {
        if (!stopping.signal.aborted) children = begin();
      }
    },
    stop: () => children.stop(GRACE_MS),
  };
}
