import type { Db } from './db.ts';

/** The time, as an argument, so that tests can set it. */
export type Clock = { now(): Date };

/** The process's own clock, possibly wrong: for tools outside the service. */
export const systemClock: Clock = { now: () => new Date() };

/** For functions that read or write rows at a certain time. */
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

/** An answer that took longer says too little about the time: half of it is how wrong the reading may be. */
const MAX_ANSWER_MS = 2_000;

/**
 * The database's time, which all processes share. Between two readings it is counted on by a stopwatch, which this
 * process's own clock, right or wrong, has no part in.
 */
export async function createDatabaseClock(db: Db): Promise<DatabaseClock> {
  let reading = await read(db);
  const now = () => reading.time + performance.now() - reading.at;
  return {
    now: () => new Date(now()),
    async refresh() {
      const next = await read(db);
      // A reading that differs by less than its uncertainty would only make the clock jump back and forth.
      const isOff = Math.abs(next.time + performance.now() - next.at - now()) > next.uncertainty;
      if (isOff && next.uncertainty <= MAX_ANSWER_MS / 2) reading = next;
    },
  };
}

type ClockReading = { time: number; at: number; uncertainty: number };

async function read(db: Db): Promise<ClockReading> {
  const begun = performance.now();
  const { rows } = await db.raw<{ rows: [{ ms: number }] }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const uncertainty = (performance.now() - begun) / 2;
  return { time: rows[0].ms, at: begun + uncertainty, uncertainty };
}

const HOUR_MS = 3_600_000;

/** For logging what anybody can cause: calls `act` at most once an hour. */
export function onceAnHour<Args extends unknown[]>(clock: Clock, act: (...args: Args) => void): (...args: Args) => void {
  let calledAt = 0;
  return (...args) => {
    const now = clock.now().getTime();
    // Either way: a clock that was wrong must not silence it for years.
    if (Math.abs(now - calledAt) < HOUR_MS) return;
    calledAt = now;
    act(...args);
  };
}
