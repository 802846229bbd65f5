import type { Db } from '../../lib/db.ts';

export type CallKind = 'search' | 'call';

/** How often an account may be asked. Milliseconds between two turns, and how far ahead of that a burst may run. */
export type Pace = { everyMs: number; burstMs: number };

/**
 * Reserves the next turn: the generic cell rate algorithm in one statement, on the database's clock, so that all
 * processes stand in one line. Answers with the milliseconds until the turn, or undefined when that would be longer
 * than `patienceMs`; then nothing is reserved. The line belongs to an account of the CRM, not to a user.
 */
export async function reserveTurn(
  db: Db,
  line: { portalId: string; kind: CallKind },
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

/** Milliseconds until somebody who comes now would have a turn. */
export async function waitOf(db: Db, line: { portalId: string; kind: CallKind }, { burstMs }: Pace): Promise<number> {
  const { rows } = await db.raw<{ rows: { wait: string }[] }>(
    `select extract(epoch from next_at - clock_timestamp()) * 1000 - :burstMs as wait
     from crm_throttles where portal_id = :portalId and kind = :kind`,
    { ...line, burstMs },
  );
  return Math.max(0, Number(rows[0]?.wait ?? 0));
}

/** Nobody gets a turn before `seconds` have passed, whatever was left of the burst. */
export async function holdOff(
  db: Db,
  line: { portalId: string; kind: CallKind },
  { seconds, burstMs }: { seconds: number; burstMs: number },
): Promise<void> {
  await db.raw(
    `insert into crm_throttles as line (portal_id, kind, next_at)
     values (:portalId, :kind, clock_timestamp() + (:seconds * 1000 + :burstMs) * interval '1 ms')
     on conflict (portal_id, kind) do update set next_at = greatest(line.next_at, excluded.next_at)`,
    { ...line, seconds, burstMs },
  );
}
