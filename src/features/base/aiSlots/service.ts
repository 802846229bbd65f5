import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import { freeSlot, renewSlots, takeSlot } from './repo.ts';

/** Does the work once there is a slot for it. Throws the signal's reason when that comes first. */
type InSlot = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

type Options = {
  db: Db;
  log: Pick<Log, 'warn'>;
  /** Slots shared by all processes. */
  most: number;
  /** Milliseconds without a renewal after which a process counts as dead. */
  leaseMs?: number;
  /** Milliseconds between two renewals. */
  renewMs?: number;
};

const LOOK_AGAIN_MS = 150;

/**
 * The line in front of the AI service, shared by all processes: never more than `most` requests are in flight. In each
 * process only the first in line looks for a slot; the others wait behind it.
 */
export function createAiSlots({ db, log, most, leaseMs = 15_000, renewMs = leaseMs / 5 }: Options): InSlot {
  const holder = randomUUID();
  const held = new Set<number>();
  let renewing: NodeJS.Timeout | undefined;
  let last = Promise.resolve();

  const renew = () =>
    void renewSlots(db, { holder, leaseMs, slots: [...held] }).catch(err => log.warn({ err }, 'AI slots not renewed'));

  function keep(slot: number): void {
    held.add(slot);
    renewing ??= setInterval(renew, renewMs).unref();
  }

  async function free(slot: number): Promise<void> {
    held.delete(slot);
    if (held.size === 0) {
      clearInterval(renewing);
      renewing = undefined;
    }
    // The answer counts even if this fails: a slot left behind is free when its lease runs out.
    await freeSlot(db, { holder, slot }).catch(err => log.warn({ err }, 'AI slot not freed'));
  }

  async function take(signal: AbortSignal): Promise<number> {
    const before = last;
    const turn = Promise.withResolvers<void>();
    last = turn.promise;
    try {
      await orAbort(before, signal);
      for (;;) {
        signal.throwIfAborted();
        const slot = await takeSlot(db, { holder, leaseMs, most });
        if (slot !== undefined) return slot;
        // The timer's own AbortError would hide the signal's reason.
        await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      turn.resolve();
    }
  }

  return async (work, signal) => {
    const slot = await take(signal);
    keep(slot);
    try {
      return await work();
    } finally {
      await free(slot);
    }
  };
}

async function orAbort(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<void>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([awaited, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
