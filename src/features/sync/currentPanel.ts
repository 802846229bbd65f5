import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { getSettingsWithSchedule } from '../base/settings/service.ts';
import { listAccounts } from '../messenger/repo.ts';
import { canBeRead } from '../messenger/rules.ts';
import { presentSync, type SyncPanel } from './present.ts';
import { findLatest, nextSyncOf } from './service.ts';

/** What every page can say of the user's sync. */
export async function currentPanel(deps: { db: Db; clock: Clock }, userId: string): Promise<SyncPanel> {
  const [{ job, readUntil }, accounts, { config, nextRunAt }] = await Promise.all([
    findLatest(deps.db, userId),
    listAccounts(deps.db, userId),
    getSettingsWithSchedule(deps, { userId }),
  ]);
  const now = deps.clock.now();
  const canStart = accounts.some(account => canBeRead(account, now));
  const { timezone } = config;
  return presentSync(job, canStart, { now, timezone, nextAt: nextSyncOf(accounts, nextRunAt), readUntil });
}
