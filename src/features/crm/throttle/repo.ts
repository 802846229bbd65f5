import type { Db } from '../../../lib/db.ts';
import { sql } from '../../../lib/sql.ts';

type CallKind = 'search' | 'call';

/** The line for one CRM account, shared by all processes and users. */
export type ThrottleKey = { portalId: string; kind: CallKind };

/** At most `most` turns within any window of `windowMs` milliseconds. */
export type Pace = { most: number; windowMs: number };

/** When the next call may be sent: a window after the one `most` turns back, and after a pause the CRM asked for. */
const nextTurn = ({ most, windowMs }: Pace) => sql`greatest(
  clock_timestamp(), line.next_at,
  line.turns[cardinality(line.turns) - ${most} + 1] + ${windowMs} * interval '1 ms')`;

/**
 * Reserves the next turn, on the database's clock, so that all processes wait in one line. Returns the milliseconds until
 * the turn, or undefined when that would be longer than `patienceMs`; then nothing is reserved. The line belongs to a CRM
 * account, not to a user.
 */
export async function reserveTurn(db: Db, line: ThrottleKey, { patienceMs, ...pace }: Pace & { patienceMs: number }) {
  const [turn] = await sql`
    insert into crm_throttles as line (portal_id, kind, next_at, turns)
    values (${line.portalId}, ${line.kind}, clock_timestamp(), array[clock_timestamp()])
    on conflict (portal_id, kind) do update
      set next_at = greatest(line.next_at, clock_timestamp()),
          turns = (line.turns || ${nextTurn(pace)})[greatest(1, cardinality(line.turns) + 2 - ${pace.most}):]
      where ${nextTurn(pace)} <= clock_timestamp() + ${patienceMs} * interval '1 ms'
    returning extract(epoch from turns[cardinality(turns)] - clock_timestamp()) * 1000 as wait
  `.rows<{ wait: string }>(db);
  return turn && Math.max(0, Number(turn.wait));
}

/** Milliseconds until a call made now would have its turn. */
export async function readWaitMs(db: Db, line: ThrottleKey, pace: Pace): Promise<number> {
  const [turn] = await sql`
    select extract(epoch from ${nextTurn(pace)} - clock_timestamp()) * 1000 as wait
    from crm_throttles as line where portal_id = ${line.portalId} and kind = ${line.kind}
  `.rows<{ wait: string }>(db);
  return Math.max(0, Number(turn?.wait ?? 0));
}

/** The CRM asked for a pause: no call gets a turn before `seconds` have passed. */
export async function holdOff(db: Db, line: ThrottleKey, seconds: number): Promise<void> {
  await sql`
    insert into crm_throttles as line (portal_id, kind, next_at)
    values (${line.portalId}, ${line.kind}, clock_timestamp() + ${seconds} * interval '1 s')
    on conflict (portal_id, kind) do update set next_at = greatest(line.next_at, excluded.next_at)
  `.rows(db);
}
