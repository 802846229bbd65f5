import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Db } from '../../../lib/db.ts';
import { freeLease, keepLease, type Lease, takeLease } from '../../../lib/lease.ts';
import type { Log } from '../../../lib/log.ts';

/** Does the work once there is a slot for it. Throws the signal's reason when that comes first. */
type InSlot = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

type Options = {
  db: Db;
  log: Pick<Log, 'warn'>;
  /** Slots shared by all processes. */
  maxSlots: number;
  /** Without a renewal for this long, a process counts as dead. */
  leaseSeconds?: number;
};

const LOOK_AGAIN_MS = 150;

/**
 * The line in front of the AI service, shared by all processes: at most `maxSlots` requests are in flight. In each
 * process only the first in line looks for a slot; the others wait behind it.
 */
export function createAiSlots({ db, log, maxSlots: most, leaseSeconds = 15 }: Options): InSlot {
  const names = Array.from({ length: most }, (_, n) => `AI slot ${n + 1}`);
  const inLine = pLimit(1);

  async function take(signal: AbortSignal): Promise<Lease> {
    for (;;) {
      signal.throwIfAborted();
      const slot = await takeLease(db, names, leaseSeconds);
      if (slot && !signal.aborted) return slot;
      if (slot) await freeLease({ db, log }, slot);
      // The timer's own AbortError would hide the signal's reason.
      await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return async (work, signal) => {
    const slot = await raceWithAbort(
      inLine(() => take(signal)),
      signal,
    );
    const stopRenewing = keepLease({ db, log }, slot);
    try {
      return await work();
    } finally {
      stopRenewing();
      await freeLease({ db, log }, slot);
    }
  };
}

async function raceWithAbort<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([awaited, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
