import type { Db } from './db.ts';
import { TooManyRequests } from './errors.ts';

/** Counts one try under `key`. Throws TooManyRequests when the tries are used up. */
export type Limit = (key: string) => Promise<void>;

const SWEEP_EVERY_MS = 300_000;
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const COUNT = `
  insert into rate_limits as counted (key, points, expire) values (:key, 1, ${NOW} + :milliseconds)
  on conflict (key) do update set
    points = case when counted.expire > ${NOW} then counted.points + 1 else 1 end,
    expire = case when counted.expire > ${NOW} then counted.expire else ${NOW} + :milliseconds end
  returning points, greatest(expire - ${NOW}, 0)::int as left`;
const SWEEP = `delete from rate_limits where expire < ${NOW} - 3600000`;

/** A limit kept in Postgres, in windows measured by its clock, so that it holds across processes. */
export function createLimit(db: Db, options: { name: string; tries: number; seconds: number }): Limit {
  const { name, tries, seconds } = options;
  let sweptAt = performance.now();
  return async key => {
    if (performance.now() - sweptAt > SWEEP_EVERY_MS) {
      sweptAt = performance.now();
      await db.raw(SWEEP);
    }
    const counted = { key: `${name}:${key}`, milliseconds: seconds * 1000 };
    const { rows } = await db.raw<{ rows: [{ points: number; left: number }] }>(COUNT, counted);
    if (rows[0].points > tries) throw new TooManyRequests(rows[0].left / 1000);
  };
}
