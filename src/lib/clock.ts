import type { Db } from './db.ts';

/** The time, as an argument, so that tests can set it. */
export type Clock = { now(): Date };

/** The process's own clock, possibly wrong: for tools outside the service. */
export const systemClock: Clock = { now: () => new Date() };

/** The database and a clock: for functions that read or write rows and need the current time. */
export type Timed = { db: Db; clock: Clock };

export function secondsBefore(clock: Clock, seconds: number): Date {
  return new Date(clock.now().getTime() - seconds * 1000);
}

export function secondsAfter(clock: Clock, seconds: number): Date {
  return secondsBefore(clock, -seconds);
}

export type DatabaseClock = Clock & {
  /** Asks the database again. Throws when it doesn't answer. */
  refresh(): Promise<void>;
};

/** Readings of slower answers are ignored: the uncertainty of a reading is half the time its answer took. */
const MAX_ANSWER_MS = 2_000;

/**
 * The database's time, which all processes share. Between two readings it is counted on by a stopwatch, which this
 * process's own clock, right or wrong, has no part in.
 */
export async function createDatabaseClock(db: Db): Promise<DatabaseClock> {
  let reading = await readDatabaseTime(db);
  const now = () => reading.time + performance.now() - reading.at;
  return {
    now: () => new Date(now()),
    async refresh() {
      const next = await readDatabaseTime(db);
      // A reading that differs by less than its uncertainty would only make the clock jump back and forth.
      const isOff = Math.abs(next.time + performance.now() - next.at - now()) > next.uncertainty;
      if (isOff && next.uncertainty <= MAX_ANSWER_MS / 2) reading = next;
    },
  };
}

type ClockReading = { time: number; at: number; uncertainty: number };

async function readDatabaseTime(db: Db): Promise<ClockReading> {
  const begun = performance.now();
  const { rows } = await db.raw<{ rows: [{ ms: number }] }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const uncertainty = (performance.now() - begun) / 2;
  return { time: rows[0].ms, at: begun + uncertainty, uncertainty };
}

const HOUR_MS = 3_600_000;

/** Calls `callback` at most once an hour: for logging what anybody can cause. */
export function onceAnHour<Args extends unknown[]>(
  clock: Clock,
  callback: (...args: Args) => void,
): (...args: Args) => void {
  let calledAt = 0;
  return (...args) => {
    const now = clock.now().getTime();
    // The absolute difference: after a clock was set back, calls must not be suppressed for years.
    if (Math.abs(now - calledAt) < HOUR_MS) return;
    calledAt = now;
    callback(...args);
  };
}
