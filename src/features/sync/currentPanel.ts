import type { Timed } from '../../lib/clock.ts';
import { getSettingsWithSchedule } from '../base/settings/service.ts';
import { listAccounts } from '../messenger/repo.ts';
import { canBeRead } from '../messenger/rules.ts';
import { presentSync, type SyncPanel } from './present.ts';
import { findLatest, findNextSync } from './service.ts';

export async function getSyncPanel(deps: Timed, userId: string): Promise<SyncPanel> {
  const [{ job, readUntil }, accounts, { config, nextRunAt }] = await Promise.all([
    findLatest(deps.db, userId),
    listAccounts(deps.db, userId),
    getSettingsWithSchedule(deps, { userId }),
  ]);
  const now = deps.clock.now();
  const canStart = accounts.some(account => canBeRead(account, now));
  const { timezone } = config;
  return presentSync(job, canStart, { now, timezone, nextAt: findNextSync(accounts, nextRunAt), readUntil });
}
