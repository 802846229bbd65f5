import { type Db, deleteOlder, type Sweep } from '../../../lib/db.ts';

type CallKind = 'search' | 'call';

/** The line for one CRM account, shared by all processes and users. */
export type Line = { portalId: string; kind: CallKind };

/** How often an account may be called: milliseconds between turns, and how far ahead of that pace a burst may run. */
export type Pace = { everyMs: number; burstMs: number };

/**
 * Reserves the next turn: the generic cell rate algorithm in one statement, on the database's clock, so that all
 * processes wait in one line. Returns the milliseconds until the turn, or undefined when that would be longer than
 * `patienceMs`; then nothing is reserved. The line belongs to a CRM account, not to a user.
 */
export async function reserveTurn(
  db: Db,
  line: Line,
  { everyMs, burstMs, patienceMs }: Pace & { patienceMs: number },
): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { wait: string }[] }>(
    `insert into crm_throttles as line (portal_id, kind, next_at)
     values (:portalId, :kind, clock_timestamp() + :everyMs * interval '1 ms')
     on conflict (portal_id, kind) do update
       set next_at = greatest(line.next_at, clock_timestamp()) + :everyMs * interval '1 ms'
       where line.next_at <= clock_timestamp() + :aheadMs * interval '1 ms'
     returning extract(epoch from next_at - clock_timestamp()) * 1000 - :everyMs - :burstMs as wait`,
    { ...line, everyMs, burstMs, aheadMs: burstMs + patienceMs },
  );
  return rows[0] && Math.max(0, Number(rows[0].wait));
}

/** Milliseconds until a call made now would have its turn. */
export async function waitOf(db: Db, line: Line, { burstMs }: Pace): Promise<number> {
  const { rows } = await db.raw<{ rows: { wait: string }[] }>(
    `select extract(epoch from next_at - clock_timestamp()) * 1000 - :burstMs as wait
     from crm_throttles where portal_id = :portalId and kind = :kind`,
    { ...line, burstMs },
  );
  return Math.max(0, Number(rows[0]?.wait ?? 0));
}

type Window = { most: number; windowMs: number };

/** When the next search may be sent: a window after the one `most` turns back, and after a pause the CRM asked for. */
const NEXT_SEARCH = `greatest(
  clock_timestamp(), line.next_at,
  line.turns[cardinality(line.turns) - :most + 1] + :windowMs * interval '1 ms')`;

/**
 * Reserves the next search, on the database's clock: never more than `most` turns in any window, across all processes.
 * Returns what {@link reserveTurn} does.
 */
export async function reserveSearch(
  db: Db,
  { portalId, kind }: Line,
  { most, windowMs, patienceMs }: Window & { patienceMs: number },
): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { wait: string }[] }>(
    `insert into crm_throttles as line (portal_id, kind, next_at, turns)
     values (:portalId, :kind, clock_timestamp(), array[clock_timestamp()])
     on conflict (portal_id, kind) do update
       set next_at = greatest(line.next_at, clock_timestamp()),
           turns = (line.turns || ${NEXT_SEARCH})[greatest(1, cardinality(line.turns) + 2 - :most):]
       where ${NEXT_SEARCH} <= clock_timestamp() + :patienceMs * interval '1 ms'
     returning extract(epoch from turns[cardinality(turns)] - clock_timestamp()) * 1000 as wait`,
    { portalId, kind, most, windowMs, patienceMs },
  );
  return rows[0] && Math.max(0, Number(rows[0].wait));
}

/** Milliseconds until a search requested now could be sent. */
export async function waitForSearch(db: Db, { portalId, kind }: Line, { most, windowMs }: Window): Promise<number> {
  const { rows } = await db.raw<{ rows: { wait: string }[] }>(
    `select extract(epoch from ${NEXT_SEARCH} - clock_timestamp()) * 1000 as wait
     from crm_throttles as line where portal_id = :portalId and kind = :kind`,
    { portalId, kind, most, windowMs },
  );
  return Math.max(0, Number(rows[0]?.wait ?? 0));
}

/** No call gets a turn before `seconds` have passed, whatever was left of the burst. */
export async function holdOff(
  db: Db,
  line: Line,
  { seconds, burstMs }: { seconds: number; burstMs: number },
): Promise<void> {
  await db.raw(
    `insert into crm_throttles as line (portal_id, kind, next_at)
     values (:portalId, :kind, clock_timestamp() + (:seconds * 1000 + :burstMs) * interval '1 ms')
     on conflict (portal_id, kind) do update set next_at = greatest(line.next_at, excluded.next_at)`,
    { ...line, seconds, burstMs },
  );
}

/** Deletes throttle rows of CRM accounts that made no call since then. @returns how many */
export async function deleteThrottlesBefore(db: Db, sweep: Sweep): Promise<number> {
  return deleteOlder(db, 'crm_throttles', { key: ['portal_id', 'kind'], column: 'next_at' }, sweep);
}
