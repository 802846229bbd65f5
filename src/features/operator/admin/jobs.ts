import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { JobHandler } from '../../../lib/queue.ts';
import type { Alerts } from '../../base/alerts/service.ts';
import { runHeartbeat, sendDailySummary } from './runHeartbeat.ts';

type Deps = { db: Db; clock: Clock; alerts: Alerts };

export function heartbeatJob(deps: Deps): JobHandler {
  return async () => runHeartbeat(deps);
}

export function dailySummaryJob(deps: Deps): JobHandler {
  return async () => sendDailySummary(deps);
}
