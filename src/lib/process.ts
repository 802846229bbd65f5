/** A supervisor or a PaaS kills 30 seconds after SIGTERM. */
const MAX_STOP_MS = 25_000;
/** For the last steps after an uncaught error: the process can't be trusted any more. */
const MAX_CRASH_MS = 2_500;

export type ProcessHandle = {
  /** Shuts down gracefully. Resolves when everything has ended. */
  stop(): Promise<void>;
  /** Reports an uncaught error shortly before it ends the process. */
  reportCrash(err: unknown): Promise<void>;
};

/**
 * Runs a process from its start to its polite end, at SIGTERM or Ctrl-C. Ends with exit code 1 when it can't be started,
 * with its reason on standard error, and within three seconds of an uncaught error. In that case nothing is stopped
 * politely: each job in progress counts a crash, so that one that kills every worker is set aside.
 */
export async function runProcess(name: string, start: () => Promise<ProcessHandle>): Promise<void> {
  const say = (err: unknown) => printReason(name, err);
  // Placeholder until the process is up: nothing to stop, and no database to report to.
  let running: ProcessHandle = { stop: async () => {}, reportCrash: async err => say(err) };
  let hasCrashed = false;
  const crash = (err: unknown) => {
    if (hasCrashed) return;
    hasCrashed = true;
    exitAfter(() => running.reportCrash(err), { code: 1, withinMs: MAX_CRASH_MS });
  };
  process.on('unhandledRejection', crash).on('uncaughtException', crash);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => exitAfter(() => running.stop(), { code: 0, withinMs: MAX_STOP_MS }));
  }
  try {
    running = await start();
  } catch (err) {
    say(err);
    process.exit(1);
  }
}

/** Runs a task to its end. Exits with code 1 when it fails, with its reason on standard error. */
export async function runTask(name: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (err) {
    printReason(name, err);
    process.exit(1);
  }
}

function printReason(name: string, err: unknown): void {
  const { message, code } = err instanceof Error ? (err as NodeJS.ErrnoException) : { message: String(err) };
  // When all of a host's several addresses refuse, the error has no message.
  process.stderr.write(`${name}: ${message || code}\n`);
}

/** Exits explicitly: libraries leave timers that keep a process alive. With 1 when the work fails or takes too long. */
function exitAfter(work: () => Promise<void>, { code, withinMs }: { code: number; withinMs: number }): void {
  setTimeout(() => process.exit(1), withinMs);
  work().then(
    () => process.exit(code),
    () => process.exit(1),
  );
}

/**
 * Ends this process at once when the one that started it is gone, killed or not: nothing may run on unseen.
 * For the children of `npm start`, which hold a pipe to it as standard input. Work in progress counts as a crash and is
 * taken up again at the next start. By a signal, as an exit of Node's own may never end (nodejs/node#54918).
 */
export function exitWithParent(): void {
  const end = () => void process.kill(process.pid, 'SIGKILL');
  process.stdin.on('error', end).on('end', end);
  process.stdin.resume();
  process.stdin.unref();
}
