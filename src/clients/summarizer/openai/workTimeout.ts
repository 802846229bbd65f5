/** Expires after a number of milliseconds of actual work: waiting for a slot does not count. */
export type WorkTimeout = {
  /** Aborted with a TimeoutError. */
  signal: AbortSignal;
  during<T>(work: () => Promise<T>): Promise<T>;
};

export function createWorkTimeout(ms: number): WorkTimeout {
  const over = new AbortController();
  const stop = () => over.abort(new DOMException('out of time', 'TimeoutError'));
  let [left, working, since] = [ms, 0, 0];
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: over.signal,
    async during(work) {
      working += 1;
      if (working === 1) {
        since = performance.now();
        timer = setTimeout(stop, left);
      }
      try {
        return await work();
      } finally {
        working -= 1;
        if (working === 0) {
          clearTimeout(timer);
          left -= performance.now() - since;
        }
      }
    },
  };
}
