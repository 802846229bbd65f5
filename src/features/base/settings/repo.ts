import type { Db } from '../../../lib/db.ts';
import { toColumns } from '../../../lib/rows.ts';
import {
  configRow,
  DEFAULT_CONFIG,
  type SettingsChanges,
  type Standing,
  type SyncConfig,
  standingRow,
} from './schema.ts';

export async function findConfig(db: Db, userId: string): Promise<SyncConfig | undefined> {
  const row = await db('sync_configs').where({ user_id: userId }).first();
  return row && configRow.parse(row);
}

/** What was saved, with when the next daily run is and whether its digests are mailed, in one statement. */
export async function findStanding(db: Db, userId: string): Promise<Standing | undefined> {
  const row = await db('sync_configs').where({ user_id: userId }).first();
  return row && { config: configRow.parse(row), ...standingRow.parse(row) };
}

/** Writes only the given fields, in one statement, so that concurrent saves of different fields are both kept. */
export async function upsertConfig(db: Db, userId: string, changes: SettingsChanges, now: Date): Promise<SyncConfig> {
  const given = toColumns(changes);
  const [row] = await db('sync_configs')
    .insert({ user_id: userId, ...toColumns(DEFAULT_CONFIG), ...given, updated_at: now })
    .onConflict('user_id')
    .merge({ ...given, updated_at: now })
    .returning('*');
  return configRow.parse(row);
}

/** Saves the defaults for a user who has saved nothing; what was saved stays. */
export async function ensureConfig(trx: Db, userId: string, now: Date): Promise<void> {
  await trx('sync_configs')
    .insert({ user_id: userId, ...toColumns(DEFAULT_CONFIG), updated_at: now })
    .onConflict('user_id')
    .ignore();
}
