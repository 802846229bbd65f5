import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import { freePlace, renewPlaces, takePlace } from './repo.ts';

/** Does the work once there is a place for it. Throws the signal's reason when that comes first. */
export type InPlace = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

type Options = {
  db: Db;
  log: Pick<Log, 'warn'>;
  /** Places shared by all processes. */
  most: number;
  /** Milliseconds without a renewal after which a process counts as dead. */
  leaseMs?: number;
  /** Milliseconds between two renewals. */
  renewMs?: number;
};

const LOOK_AGAIN_MS = 150;

/**
 * The line in front of the AI service, shared by all processes: never more than `most` requests are in flight. In each
 * process only the first in line looks for a place; the others wait behind it.
 */
export function createAiPlaces({ db, log, most, leaseMs = 15_000, renewMs = leaseMs / 5 }: Options): InPlace {
  const holder = randomUUID();
  const held = new Set<number>();
  let renewing: NodeJS.Timeout | undefined;
  let last = Promise.resolve();

  const renew = () =>
    void renewPlaces(db, { holder, leaseMs, places: [...held] }).catch(err =>
      log.warn({ err }, 'AI places not renewed'),
    );

  function keep(place: number): void {
    held.add(place);
    renewing ??= setInterval(renew, renewMs).unref();
  }

  async function free(place: number): Promise<void> {
    held.delete(place);
    if (held.size === 0) {
      clearInterval(renewing);
      renewing = undefined;
    }
    // The answer counts even if this fails: a place left behind is free when its lease runs out.
    await freePlace(db, { holder, place }).catch(err => log.warn({ err }, 'AI place not freed'));
  }

  async function take(signal: AbortSignal): Promise<number> {
    const before = last;
    const turn = Promise.withResolvers<void>();
    last = turn.promise;
    try {
      await orAbort(before, signal);
      for (;;) {
        signal.throwIfAborted();
        const place = await takePlace(db, { holder, leaseMs, most });
        if (place !== undefined) return place;
        // The timer's own AbortError would hide the signal's reason.
        await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      turn.resolve();
    }
  }

  return async (work, signal) => {
    const place = await take(signal);
    keep(place);
    try {
      return await work();
    } finally {
      await free(place);
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
