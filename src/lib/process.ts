/** A supervisor or a PaaS kills 30 seconds after SIGTERM. */
const LONGEST_STOP_MS = 25_000;

/**
 * Runs a process from its start to its polite end. `start` answers with what to do at SIGTERM or Ctrl-C.
 * Ends with exit code 1 when it can't be started, with its reason on standard error.
 */
export async function runProcess(name: string, start: () => Promise<() => Promise<void>>): Promise<void> {
  // Before it is up there is nothing to end politely.
  let stop = async () => {};
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stopAndExit(stop));
  try {
    stop = await start();
  } catch (err) {
    process.stderr.write(`${name}: ${err instanceof Error ? err.message : String(err)}\n`);
    process.exit(1);
  }
}

/** Exits by hand: libraries leave timers behind that would hold the process. */
async function stopAndExit(stop: () => Promise<void>): Promise<void> {
  setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
  try {
    await stop();
    process.exit(0);
  } catch {
    process.exit(1);
  }
}

/**
 * Ends this process at once when the one that started it is gone, killed or not: nothing may run on unseen.
 * For the children of `npm start`, which hold a pipe to it as standard input. What was in the works counts as a crash
 * and is taken up again by the next start.
 */
export function exitWithParent(): void {
  process.stdin.on('error', () => process.exit(1)).on('end', () => process.exit(1));
  process.stdin.resume();
  process.stdin.unref();
}
