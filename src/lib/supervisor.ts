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
  /** Ends each child politely and starts it again; one that waits to be started again waits no longer. */
  restart(): void;
  /** SIGTERM to each child, SIGKILL to what is left after `graceMs`. Resolves when all are gone. */
  stop(graceMs: number): Promise<void>;
  /** Ends what is left at once. */
  kill(): void;
};

type Kept = { line: ProcessLine; child: ChildProcess | undefined; restart: AbortController };

/** Keeps one process per line running, each starting again when it ends. */
export function supervise(lines: ProcessLine[], around: Surroundings): Supervisor {
  const stopping = new AbortController();
  const kept: Kept[] = lines.map(line => ({ line, child: undefined, restart: new AbortController() }));
  const loops = kept.map(one => keepRunning(one, around, stopping.signal));
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
  };
}

/** Runs a line once, to its end. Resolves with its exit code, 1 when it was killed. */
export async function runToEnd(line: ProcessLine, around: Surroundings): Promise<number> {
  return (await ended(startChild(line, around))).code ?? 1;
}

async function keepRunning(one: Kept, around: Surroundings, stopping: AbortSignal): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!stopping.aborted) {
    const startedAt = Date.now();
    one.restart = new AbortController();
    one.child = startChild(one.line, around);
    const { code, signal } = await ended(one.child);
    one.child = undefined;
    const awaited = AbortSignal.any([stopping, one.restart.signal]);
    if (awaited.aborted || Date.now() - startedAt > STEADY_MS) pause = FIRST_PAUSE_MS;
    if (awaited.aborted) continue;
    around.log(`${one.line.name} ended (${signal ?? `code ${code}`}): starting it again in ${pause / 1000} s`);
    await sleep(pause, undefined, { signal: awaited }).catch(() => undefined);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/**
 * In a session of its own, so that Ctrl-C is ours to hand on, and with a pipe as standard input whose end tells it
 * that we are gone.
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
