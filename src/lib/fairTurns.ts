export type FairTurns = {
  /** @param isLong whether it may wait for a pause of the others' */
  take<T>(owner: string, work: () => Promise<T>, how?: { isLong: boolean }): Promise<T>;
};

type Waiting = { owner: string; isLong: boolean; begin: () => void };

/** Milliseconds without short work that make a pause, and for which long work waits for one at most. */
const PAUSE = 300;
const LONGEST_WAIT = 5_000;

/**
 * One piece of work at a time, and the same share of the time for everyone who waits: next is whoever had the least of
 * it. Who comes late begins with as much as is being served, so that no one can save time up. Long work comes in pauses,
 * and one piece every five seconds where there are none: each piece holds up everyone. Remembers only those who wait, or
 * who had more than what is being served.
 */
export function createFairTurns(now: () => number = () => performance.now()): FairTurns {
  const had = new Map<string, number>();
  const waiting: Waiting[] = [];
  let [served, isBusy] = [0, false];
  let [lastShort, lastLong] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let lookingAgain: NodeJS.Timeout | undefined;

  function hadBy(owner: string): number {
    return Math.max(had.get(owner) ?? 0, served);
  }

  function mayBegin({ isLong }: Waiting): boolean {
    return !isLong || now() - lastShort >= PAUSE || now() - lastLong >= LONGEST_WAIT;
  }

  function beginNext(): void {
    clearTimeout(lookingAgain);
    if (isBusy || waiting.length === 0) return;
    const [first, ...others] = waiting.filter(mayBegin);
    if (!first) {
      lookingAgain = setTimeout(beginNext, PAUSE);
      return;
    }
    const next = others.reduce((least, other) => (hadBy(other.owner) < hadBy(least.owner) ? other : least), first);
    waiting.splice(waiting.indexOf(next), 1);
    served = hadBy(next.owner);
    isBusy = true;
    next.begin();
  }

  function end(owner: string, isLong: boolean, took: number): void {
    had.set(owner, hadBy(owner) + took);
    isBusy = false;
    if (isLong) lastLong = now();
    else lastShort = now();
    if (waiting.length === 0) had.clear();
    const isWaiting = new Set(waiting.map(one => one.owner));
    for (const [one, time] of had) if (time <= served && !isWaiting.has(one)) had.delete(one);
    beginNext();
  }

  return {
    async take(owner, work, { isLong } = { isLong: false }) {
      await new Promise<void>(begin => {
        waiting.push({ owner, isLong, begin });
        beginNext();
      });
      const begun = now();
      try {
        return await work();
      } finally {
        end(owner, isLong, now() - begun);
      }
    },
  };
}
