import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import getPort, { portNumbers } from 'get-port';
import { NUMBER_OF_PROCESS } from './freePort.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_PATIENCE_MS = 150_000;

/** What a start of the demo says: digests, the service's address, who to sign in as, and the sandbox's address. */
export const READY =
  /^ready: (\d+) digests, \d+ notes\. .* open (\S+) and sign in as (\S+@\S+)\. Sign-in codes, and a button to simulate a new day: (\S+)$/m;

/** A real `npm start`, with a data folder and ports of its own. */
export type BareMachine = {
  child: ChildProcess;
  output(): string;
  /** Resolves with what the pattern found in the output. Throws with the output when start ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code, null after a signal. */
  ends(): Promise<number | null>;
};

export function startMachine(env: Record<string, string>, args: string[] = []): BareMachine {
  const { NODE_ENV: _, TEST_DATABASE_URL: __, ...inherited } = process.env;
  const child = spawn(process.execPath, ['sandbox/start.ts', ...args], {
    cwd: ROOT,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      output += chunk;
    });
  }
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  return {
    child,
    output: () => output,
    says: pattern =>
      waitFor(
        () => pattern.exec(output) ?? undefined,
        child,
        () => output,
      ),
    ends: () => ended,
  };
}

export type BareFolder = {
  folder: string;
  dataDir: string;
  env: Record<string, string>;
  start(args?: string[], more?: Record<string, string>): BareMachine;
  /** Ends what was started, however it went. */
  remove(): void;
};

/** A folder for the data of several starts, one after the other, and ports for them. */
export async function bareFolder(): Promise<BareFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'forenoon-start-'));
  // For root, Postgres runs as someone who must be able to pass through.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const env = { ...(await freePorts()), FORENOON_DATA_DIR: dataDir };
  const started: number[] = [];
  return {
    folder,
    dataDir,
    env,
    start(args = [], more = {}) {
      const machine = startMachine({ ...env, ...more }, args);
      if (machine.child.pid) started.push(machine.child.pid);
      return machine;
    },
    remove() {
      for (const pid of started.filter(isAlive)) kill(pid);
      const postmaster = postmasterPid(dataDir);
      if (postmaster && isAlive(postmaster)) process.kill(postmaster, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

async function waitFor<T>(look: () => T | undefined, child: ChildProcess, output: () => string): Promise<T> {
  const end = Date.now() + START_PATIENCE_MS;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    const over = child.exitCode !== null || child.signalCode !== null;
    if (over || Date.now() > end) throw new Error(`start ${over ? 'ended' : 'did not say it in time'}:\n${output()}`);
    await sleep(50);
  }
}

/** Of one process: those of its starts that have ended, and some of others that still hold theirs. */
const PORTS = 30;

/**
 * Six ports that are free now, the messenger's where its library can use it. They lie below those that systems give to
 * outgoing connections, and among those of this process alone: nothing else takes a port while what listens on it starts
 * again.
 */
export async function freePorts(): Promise<
  Record<
    'PORT' | 'SANDBOX_PORT' | 'SANDBOX_CRM_PORT' | 'SANDBOX_PAYMENTS_PORT' | 'SANDBOX_MAIL_PORT' | 'MESSENGER_PORT',
    string
  >
> {
  const first = 10_100 + PORTS * (NUMBER_OF_PROCESS % 190);
  const port = async () => String(await getPort({ host: '127.0.0.1', port: portNumbers(first, first + PORTS - 1) }));
  return {
    PORT: await port(),
    SANDBOX_PORT: await port(),
    SANDBOX_CRM_PORT: await port(),
    SANDBOX_PAYMENTS_PORT: await port(),
    SANDBOX_MAIL_PORT: await port(),
    MESSENGER_PORT: await port(),
  };
}

export type RunningProcess = { pid: number; command: string };

/** The running children of a process; zombies count as dead. */
export function childrenOf(parent: number): RunningProcess[] {
  return livingProcesses()
    .filter(each => each.parent === parent)
    .map(({ pid, command }) => ({ pid, command }));
}

export function isAlive(pid: number): boolean {
  return livingProcesses().some(each => each.pid === pid);
}

type LivingProcess = RunningProcess & { parent: number };

function livingProcesses(): LivingProcess[] {
  // Bare Linux images have no ps, other systems no /proc.
  return process.platform === 'linux' ? linuxProcesses() : listedProcesses();
}

function linuxProcesses(): LivingProcess[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return pids.flatMap(pid => {
    try {
      const [, state, parent] = /\) (\S) (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
      return state === 'Z' || state === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    } catch {
      // The process ended in the meantime.
      return [];
    }
  });
}

function listedProcesses(): LivingProcess[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap(line => {
    const [pid, parent, state = 'Z', ...command] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command: command.join(' ') }];
  });
}

/** Never sends it to 0, which would be this process's own group. */
export function kill(pid: number | undefined): void {
  if (!pid) throw new Error('There is no such process to kill.');
  process.kill(pid, 'SIGKILL');
}

export function postmasterPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

/** Resolves with true once all have ended, with false after `milliseconds`. */
export async function allGone(pids: number[], milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (pids.some(isAlive)) {
    if (Date.now() > end) return false;
    await sleep(50);
  }
  return true;
}
