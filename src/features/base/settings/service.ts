import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { lockSchedule } from '../schedule/repo.ts';
import { ensureNextRun, reschedule } from '../schedule/service.ts';
import { ensureConfig, findConfig, findStanding, upsertConfig } from './repo.ts';
import { DEFAULT_CONFIG, DEFAULT_WEEK_MAIL, type SettingsChanges, type Standing, type SyncConfig } from './schema.ts';

/** The user's sync configuration, or the defaults as long as nothing was saved. */
export async function getSettings(deps: { db: Db }, { userId }: { userId: string }): Promise<SyncConfig> {
  return (await findConfig(deps.db, userId)) ?? { ...DEFAULT_CONFIG };
}

/** The same with when the next daily run is and whether its digests are mailed. */
export async function getStanding(deps: { db: Db }, { userId }: { userId: string }): Promise<Standing> {
  const noMail = { mailMode: 'OFF', ...DEFAULT_WEEK_MAIL } as const;
  const nothingSaved: Standing = { config: { ...DEFAULT_CONFIG }, nextRunAt: null, ...noMail };
  return (await findStanding(deps.db, userId)) ?? nothingSaved;
}

/** Makes sure that the user has settings and a next run, by default the default ones. */
export async function ensureSettings(
  { db, clock }: { db: Db; clock: Clock },
  { userId }: { userId: string },
): Promise<void> {
  await ensureConfig(db, userId, clock.now());
  await ensureNextRun({ db, clock }, { userId });
}

/** Also updates the time of the next digest, in the same transaction. */
export async function updateSettings(
  deps: { db: Db; clock: Clock },
  { userId, changes }: { userId: string; changes: SettingsChanges },
): Promise<SyncConfig> {
  return deps.db.transaction(async trx => {
    const before = await lockSchedule(trx, userId);
    const config = await upsertConfig(trx, userId, changes, deps.clock.now());
    await reschedule({ db: trx, clock: deps.clock }, { userId, before, after: config });
    return config;
  });
}
