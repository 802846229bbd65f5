import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessLine } from './procfile.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that lived this long starts with a short pause again. */
const STEADY_MS = 30_000;

export type Surroundings = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Each line a child writes. */
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

type Kept = { line: ProcessLine; child: ChildProcess | undefined; restart: AbortController };

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
  const kept: Kept[] = lines.map(line => ({ line, child: undefined, restart: new AbortController() }));
  const loops = kept.map(async one => {
    await keepRunning(one, around, { stopping: stopping.signal, giveUpAfter });
    if (!stopping.signal.aborted) givenUp.resolve(one.line.name);
  });
  const signalAll = (signal: NodeJS.Signals) => {
    for (const { child } of kept) child?.kill(signal);
  };
  return {
    restart() {
      for (const one of kept) one.restart.abort();
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

/**
 * Runs a line once, to its end. Resolves with its exit code, 1 when it was killed.
 * @param stop passes SIGTERM on to it
 */
export async function runToEnd(line: ProcessLine, around: Surroundings, stop?: AbortSignal): Promise<number> {
  const child = startChild(line, around);
  const end = () => void child.kill('SIGTERM');
  stop?.addEventListener('abort', end);
  const { code } = await ended(child);
  stop?.removeEventListener('abort', end);
  return code ?? 1;
}

type Patience = { stopping: AbortSignal; giveUpAfter: number };

/** Returns when it is told to stop, or when the process has ended too often. */
async function keepRunning(one: Kept, around: Surroundings, { stopping, giveUpAfter }: Patience): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  let endedInARow = 0;
  while (!stopping.aborted) {
    const startedAt = performance.now();
    one.restart = new AbortController();
    one.child = startChild(one.line, around);
    const { code, signal } = await ended(one.child);
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
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/**
 * Starts it in a session of its own, so that Ctrl-C is ours to pass on, and with a pipe as standard input, whose end
 * tells it that we are gone.
 */
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

async function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  try {
    const [code, signal] = await once(child, 'close');
    return { code, signal };
  } catch {
    return { code: 127, signal: null };
  }
}
