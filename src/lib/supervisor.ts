import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './errors.ts';

/** A Procfile line, split into words. Without a shell, processes get settings from the environment. */
type ProcessLine = { name: string; command: string; args: string[] };

export function readProcfile(file: string): ProcessLine[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() && !line.trim().startsWith('#'))
    .map(line => {
      const [, name, rest] = /^([\w-]+):\s*(\S.*)$/.exec(line.trim()) ?? [];
      const [command, ...args] = rest?.split(/\s+/) ?? [];
      if (!name || !command) throw new StartError(`${file}: not "name: command": ${line}`);
      return { name, command, args };
    });
}

export function findLine(lines: ProcessLine[], name: string): ProcessLine {
  const line = lines.find(candidate => candidate.name === name);
  if (!line) throw new StartError(`The Procfile has no line for ${name}.`);
  return line;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A process that lived this long starts with a short pause again. */
const STEADY_MS = 30_000;

export type Surroundings = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Called with each line of a child's output. */
  output: (name: string, line: string, stream: 'stdout' | 'stderr') => void;
  log: (line: string) => void;
};

export type Supervisor = {
  /** Ends each child politely and starts it again; one that is waiting for its restart starts at once. */
  restart(): void;
  /** SIGTERM to each child, SIGKILL to what is left after `graceMs`. Resolves when all are gone. */
  stop(graceMs: number): Promise<void>;
  /** Ends what is left at once. */
  kill(): void;
  /** Resolves with the name of the first process that is given up; never does without `giveUpAfter`. */
  gaveUp: Promise<string>;
};

type SupervisedProcess = { line: ProcessLine; child: ChildProcess | undefined; restart: AbortController };

/**
 * Keeps one process per line running, each starting again when it ends.
 * @param giveUpAfter how many times in a row a process may end before it was up for half a minute; default: any number
 */
export function supervise(
  lines: ProcessLine[],
  around: Surroundings,
  { giveUpAfter = Number.POSITIVE_INFINITY } = {},
): Supervisor {
  const stopping = new AbortController();
  const givenUp = Promise.withResolvers<string>();
  const processes: SupervisedProcess[] = lines.map(line => ({ line, child: undefined, restart: new AbortController() }));
  const loops = processes.map(async process => {
    await keepRunning(process, around, { stopping: stopping.signal, giveUpAfter });
    if (!stopping.signal.aborted) givenUp.resolve(process.line.name);
  });
  const signalAll = (signal: NodeJS.Signals) => {
    for (const { child } of processes) child?.kill(signal);
  };
  return {
    restart() {
      for (const process of processes) process.restart.abort();
      signalAll('SIGTERM');
    },
    async stop(graceMs) {
      stopping.abort();
      signalAll('SIGTERM');
      const enough = setTimeout(() => signalAll('SIGKILL'), graceMs);
      await Promise.all(loops);
      clearTimeout(enough);
    },
    kill: () => signalAll('SIGKILL'),
    gaveUp: givenUp.promise,
  };
}

/** Runs a line to its end. Resolves with its exit code, 1 when it was killed. @param stop passes SIGTERM on to it */
export async function runToEnd(line: ProcessLine, around: Surroundings, stop?: AbortSignal): Promise<number> {
  const child = startChild(line, around);
  const end = () => void child.kill('SIGTERM');
  stop?.addEventListener('abort', end);
  const { code } = await waitForEnd(child);
  stop?.removeEventListener('abort', end);
  return code ?? 1;
}

/** Returns when it is told to stop, or when the process has ended too often. */
async function keepRunning(
  one: SupervisedProcess,
  around: Surroundings,
  { stopping, giveUpAfter }: { stopping: AbortSignal; giveUpAfter: number },
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  let endedInARow = 0;
  while (!stopping.aborted) {
    const startedAt = performance.now();
    one.restart = new AbortController();
    one.child = startChild(one.line, around);
    const { code, signal } = await waitForEnd(one.child);
    one.child = undefined;
    const awaited = AbortSignal.any([stopping, one.restart.signal]);
    if (awaited.aborted || performance.now() - startedAt > STEADY_MS) {
      pause = FIRST_PAUSE_MS;
      endedInARow = 0;
    }
    if (awaited.aborted) continue;
    endedInARow += 1;
    if (endedInARow >= giveUpAfter) return;
    around.log(`${one.line.name} ended (${signal ?? `code ${code}`}): starting it again in ${pause / 1000} s`);
    await sleep(pause, undefined, { signal: awaited }).catch(() => undefined);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

/** Its own session, so that Ctrl-C reaches only us. The end of its standard input tells it that we are gone. */
function startChild(line: ProcessLine, around: Surroundings): ChildProcess {
  const child = spawn(line.command, line.args, {
    cwd: around.cwd,
    env: { ...around.env, FORENOON_SUPERVISED: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin?.on('error', () => undefined);
  for (const stream of ['stdout', 'stderr'] as const) {
    const lines = child[stream];
    if (lines) createInterface({ input: lines }).on('line', text => around.output(line.name, text, stream));
  }
  return child;
}

async function waitForEnd(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  try {
    const [code, signal] = await once(child, 'close');
    return { code, signal };
  } catch {
    return { code: 127, signal: null };
  }
}

/** A process may take 25 seconds to end politely; hosts kill 30 seconds after SIGTERM. */
const GRACE_MS = 27_000;
/** Ends of a process in a row after which the group ends, after about half a minute of pauses. */
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
  // Lines already name their process.
  const output: Surroundings['output'] = (_name, line, stream) => process[stream].write(`${line}\n`);
  const around: Surroundings = { cwd: root, env, log, output };
  const released = await runToEnd(findLine(lines, 'release'), around, stop);
  if (stop.aborted) return 0;
  if (released !== 0) {
    log('the database migrations failed: the lines above say why');
    return 1;
  }
  const children = supervise([findLine(lines, 'web'), findLine(lines, 'worker')], around, { giveUpAfter });
  const stopped = new Promise<undefined>(resolve => stop.addEventListener('abort', () => resolve(undefined)));
  const lostProcess = await Promise.race([stopped, children.gaveUp]);
  if (lostProcess) log(`${lostProcess} ended ${giveUpAfter} times in a row: ending the whole group`);
  await children.stop(GRACE_MS);
  return lostProcess ? 1 : 0;
}
