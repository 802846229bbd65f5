import { type Db, toColumns } from '../../../lib/db.ts';
import { sql } from '../../../lib/sql.ts';
import type { DailyRun } from '../../../lib/timezones.ts';
import {
  configRow,
  DEFAULT_CONFIG,
  type Schedule,
  type SettingsChanges,
  type SettingsWithSchedule,
  type SyncConfig,
  scheduleFieldsRow,
  scheduleRow,
} from './schema.ts';

/** The saved settings with the next daily run and whether its digests are mailed, in one statement. */
export async function findSettingsWithSchedule(db: Db, userId: string): Promise<SettingsWithSchedule | undefined> {
  const row = await db('sync_configs').where({ user_id: userId }).first();
  return row && { config: configRow.parse(row), ...scheduleFieldsRow.parse(row) };
}

/** Writes only the given fields, in one statement, so that concurrent saves of different fields are both kept. */
export async function upsertConfig(db: Db, userId: string, changes: SettingsChanges, now: Date): Promise<SyncConfig> {
  const columns = toColumns(changes);
  const [row] = await db('sync_configs')
    .insert({ user_id: userId, ...toColumns(DEFAULT_CONFIG), ...columns, updated_at: now })
    .onConflict('user_id')
    .merge({ ...columns, updated_at: now })
    .returning('*');
  return configRow.parse(row);
}

/** Whether PostgreSQL knows this time zone: its list differs from Node's. */
export async function knowsZone(db: Db, timezone: string): Promise<boolean> {
  return Boolean(await db('pg_timezone_names').whereRaw('lower(name) = lower(?)', timezone).first('name'));
}

const SCHEDULE_COLUMNS = `user_id, sync_time, timezone, next_sync_at,
  to_char(next_sync_day, 'YYYY-MM-DD') as next_day, to_char(last_sync_day, 'YYYY-MM-DD') as last_day`;

/** Locks the user's schedule until the transaction ends. */
export async function lockSchedule(trx: Db, userId: string): Promise<Schedule | undefined> {
  const row = await trx('sync_configs').select(trx.raw(SCHEDULE_COLUMNS)).where({ user_id: userId }).forUpdate().first();
  return row && scheduleRow.parse(row);
}

export async function setNext(trx: Db, userId: string, next: DailyRun): Promise<void> {
  await trx('sync_configs').where({ user_id: userId }).update({ next_sync_at: next.at, next_sync_day: next.day });
}

/** Claims, among all users, those whose time has come, longest due first, each for one worker only. */
export async function claimDueOfAllUsers(trx: Db, { now, limit }: { now: Date; limit: number }): Promise<Schedule[]> {
  const rows = await trx('sync_configs')
    .select(trx.raw(SCHEDULE_COLUMNS))
    .where('next_sync_at', '<=', now)
    .orderBy('next_sync_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return rows.map(row => scheduleRow.parse(row));
}

/** `lastDay` is the day of the run that began; null when none did. */
export type NextRunUpdate = { userId: string; next: DailyRun; lastDay: string | null };

export async function saveNextRuns(trx: Db, moves: NextRunUpdate[]): Promise<void> {
  await sql`
    update sync_configs set next_sync_at = moved.next_at, next_sync_day = moved.next_day,
      last_sync_day = coalesce(nullif(moved.last_day, '')::date, last_sync_day)
    from unnest(
      ${moves.map(({ userId }) => userId)}::uuid[], ${moves.map(({ next }) => next.at.toISOString())}::timestamptz[],
      ${moves.map(({ next }) => next.day)}::date[], ${moves.map(({ lastDay }) => lastDay ?? '')}::text[]
    ) as moved (owner, next_at, next_day, last_day)
    where user_id = moved.owner
  `.rows(trx);
}
