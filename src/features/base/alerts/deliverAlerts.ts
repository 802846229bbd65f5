import type { AlertBot } from '../../../clients/alertBot/types.ts';
import { ClientError } from '../../../clients/errors.ts';
import { type Clock, secondsAfter } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Log } from '../../../lib/log.ts';
import type { Queue } from '../../../lib/queue.ts';
import { messageFor } from './present.ts';
import * as repo from './repo.ts';
import { secondsToNextTry } from './rules.ts';
import { ALERT_QUEUE, type StoredAlert } from './schema.ts';

export type DeliverDeps = {
  db: Db;
  clock: Clock;
  log: Log;
  queue: Queue;
  /** Undefined where the operator configured none: then an alert stays in the log and on the status page. */
  alertBot: AlertBot | undefined;
};

/**
 * Sends due alerts one by one, oldest first. When the bot API asks to wait or doesn't answer, everything waits and
 * resumes automatically. A message that it accepted without confirming may arrive twice.
 */
export async function deliverAlerts(deps: DeliverDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const alert = await repo.takeDue(deps.db, deps.clock.now());
    if (!alert) return;
    const pause = await tryToSend(deps, alert);
    if (pause === undefined) continue;
    await repo.holdAlert(deps.db, alert.id, secondsAfter(deps.clock, pause));
    await deps.queue.send(ALERT_QUEUE.name, {}, { startAfter: pause });
    return;
  }
}

/** Seconds until the next try; undefined when the alert needs none. */
async function tryToSend({ db, clock, log, alertBot }: DeliverDeps, alert: StoredAlert): Promise<number | undefined> {
  const settle = (state: 'sent' | 'logged' | 'refused') =>
    repo.settleAlert(db, alert.id, { state, now: clock.now() }).then(() => undefined);
  if (!alertBot) return settle('logged');
  try {
    await alertBot.send(messageFor(alert));
    return await settle('sent');
  } catch (err) {
    if (!(err instanceof ClientError)) throw err;
    log.warn({ err, alertId: alert.id, kind: alert.kind }, 'alert not sent');
    if (err.kind === 'permanent') return settle('refused');
    return Math.ceil(err.retryAfterSeconds ?? secondsToNextTry(alert.tries));
  }
}
