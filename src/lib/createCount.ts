import type { Db } from './db.ts';

const SWEEP_EVERY_MS = 300_000;

/**
 * Counts tries of each key under `name` in windows of so many seconds, by the database's clock. Returns a function that
 * counts one and tells which it is, and how long the window lasts.
 */
export function createCount(db: Db, { name, seconds }: { name: string; seconds: number }) {
  let sweptAt = performance.now();
  return async (key: string): Promise<{ tries: number; secondsLeft: number }> => {
    if (performance.now() - sweptAt > SWEEP_EVERY_MS) {
      sweptAt = performance.now();
      await db.raw(SWEEP);
    }
    const counted = { key: `${name}:${key}`, milliseconds: seconds * 1000 };
    const { rows } = await db.raw<{ rows: [{ points: number; left: number }] }>(COUNT, counted);
    return { tries: rows[0].points, secondsLeft: rows[0].left / 1000 };
  };
}

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/**
 * A window that would end later than one that begins now was begun by a clock that was ahead. What time it is now is
 * read once the row is locked: a try that waited for another would take the window which that one began for such a one.
 */
const COUNT = `
  insert into rate_limits as counted (key, points, expire) values (:key, 1, ${NOW} + :milliseconds)
  on conflict (key) do update set (points, expire) = (
    select case when is_open then counted.points + 1 else 1 end,
      case when is_open then counted.expire else at + :milliseconds end
    from (select ${NOW} as at) as clock
    cross join lateral (select counted.expire > at and counted.expire <= at + :milliseconds as is_open) as state
  )
  returning points, greatest(expire - ${NOW}, 0)::int as left`;
const SWEEP = `delete from rate_limits where expire < ${NOW} - 3600000`;
