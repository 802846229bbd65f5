import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../../lib/log.ts';
import { type Alerts, notify } from '../../base/alerts/service.ts';

/** After this the process ends, whether or not the alert went out. */
const PATIENCE_MS = 2_000;

/** Logs an uncaught error and alerts the operator, as far as that is possible in two seconds. Never fails. */
export async function reportCrash(
  deps: { log: Log; alerts: Alerts },
  err: unknown,
  about: { process: string },
): Promise<void> {
  deps.log.fatal({ err }, 'uncaught error: the process exits');
  notify(deps, { level: 'error', source: 'heartbeat', kind: 'PROCESS_CRASHED', about });
  await Promise.race([deps.alerts.close(), sleep(PATIENCE_MS)]);
}
