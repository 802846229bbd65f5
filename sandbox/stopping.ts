import { sentenceFrom } from './sentences.ts';

/** Under npm a terminal's Ctrl-C arrives twice, since npm forwards it as well. */
const SAME_PRESS_MS = 1000;

export type Stopping = {
  /** Aborted at the first request to stop. */
  signal: AbortSignal;
  requested: Promise<void>;
  /** Calls back at the second request to stop, which asks not to wait. */
  onSecondRequest(act: () => void): void;
};

/**
 * Listens for Ctrl-C, SIGTERM and the closing of the terminal. An uncaught error, in a sandbox server for example, ends
 * the start with exit code 1 in the same order, so that nothing is left running.
 */
export function listenForStop(say: (line: string) => void): Stopping {
  const controller = new AbortController();
  const requested = Promise.withResolvers<void>();
  let firstAt = 0;
  let stopAtOnce = () => {};
  const stop = () => {
    if (controller.signal.aborted) {
      if (Date.now() - firstAt > SAME_PRESS_MS) stopAtOnce();
      return;
    }
    firstAt = Date.now();
    say('Stopping. Press Ctrl-C again to stop immediately.');
    controller.abort(new Error('stopped'));
    requested.resolve();
  };
  process.on('uncaughtException', error => {
    say(sentenceFrom(error));
    process.exitCode = 1;
    if (controller.signal.aborted) return;
    controller.abort(error);
    requested.resolve();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return {
    signal: controller.signal,
    requested: requested.promise,
    onSecondRequest(act) {
      stopAtOnce = act;
    },
  };
}
