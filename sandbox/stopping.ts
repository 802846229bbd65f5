import { sentenceFrom } from './sentences.ts';

/** A terminal's Ctrl-C reaches us twice under npm, which hands it on as well. */
const SAME_PRESS_MS = 1000;

export type Stopping = {
  /** Aborted at the first request to stop. */
  signal: AbortSignal;
  requested: Promise<void>;
  /** At the second request, from somebody who does not want to wait. */
  onImpatience(act: () => void): void;
};

/**
 * Listens for Ctrl-C, SIGTERM and the closing of the terminal. An error that nobody caught, in a sandbox for example, ends
 * the start with exit code 1 and in the same order: what was started must not be left running.
 */
export function listenForStop(say: (line: string) => void): Stopping {
  const controller = new AbortController();
  const requested = Promise.withResolvers<void>();
  let firstAt = 0;
  let hurry = () => {};
  const stop = () => {
    if (controller.signal.aborted) {
      if (Date.now() - firstAt > SAME_PRESS_MS) hurry();
      return;
    }
    firstAt = Date.now();
    say('Stopping. Once more ends it without waiting.');
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
    onImpatience(act) {
      hurry = act;
    },
  };
}
