import { type Clock, secondsBefore } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { countAlertsSince } from '../alerts/repo.ts';
import { type Alerts, notify } from '../alerts/service.ts';
import * as repo from './repo.ts';
import { findNews, findTroubles } from './rules.ts';
import type { Trouble } from './schema.ts';
import { GIVEN_UP_AFTER, takeSnapshot } from './service.ts';

type Deps = { db: Db; clock: Clock; alerts: Alerts };

const DAY = 24 * 3600;

/** Tells what is wrong once, again every hour while it lasts, and that it is over. Says nothing when all is well. */
export async function runHeartbeat(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const troubles = findTroubles(await takeSnapshot(deps));
  const { begun, goesOn, over } = findNews(troubles, await repo.listTold(db), now);
  for (const trouble of begun) await tell(deps, trouble, now);
  for (const { since, ...trouble } of goesOn) await tell(deps, trouble, now, since);
  for (const { kind, since } of over) {
    await repo.forgetTold(db, kind);
    const minutes = Math.round((now.getTime() - since.getTime()) / 60_000);
    notify(deps, { level: 'info', source: 'heartbeat', kind: `${kind}_OVER`, about: { lastedMinutes: minutes } });
  }
  await repo.deleteSilentWorkers(db, secondsBefore(clock, 2 * GIVEN_UP_AFTER));
}

async function tell(deps: Deps, { kind, level, about }: Trouble, now: Date, since?: Date): Promise<void> {
  await repo.keepTold(deps.db, { kind, now });
  const goingOn = since && { since: since.toISOString() };
  notify(deps, { level, source: 'heartbeat', kind, about: { ...about, ...goingOn } });
}

/** The last 24 hours in numbers, whether anything is wrong or not. */
export async function sendDailySummary(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const since = secondsBefore(clock, DAY);
  const { users, digestsIn24h } = await takeSnapshot(deps);
  const { syncs, failed, troubled } = await repo.countSyncs(db, since);
  const alerts = await countAlertsSince(db, since);
  const about = {
    users: users.total,
    newUsers: users.newIn24h,
    payingUsers: users.paying,
    syncs,
    syncsFailed: failed,
    syncsInPart: troubled - failed,
    ...Object.fromEntries(Object.entries(digestsIn24h).map(([status, number]) => [`digests ${status}`, number])),
    notes: await repo.countNotes(db, since),
    errors: alerts.error ?? 0,
    warnings: alerts.warn ?? 0,
  };
  notify(deps, { level: 'info', source: 'heartbeat', kind: 'DAILY_SUMMARY', about });
}
