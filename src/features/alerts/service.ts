import type { Log } from '../../lib/log.ts';

export type AlertLevel = 'info' | 'warn' | 'error' | 'revenue';

/** What an operator should hear of. Holds no user content and no secret: ids, counts and codes only. */
export type Alert = {
  level: AlertLevel;
  source: 'sync' | 'messenger' | 'summarizer' | 'crm';
  /** A stable word for the kind of event, for example `SESSION_EXPIRED`. */
  kind: string;
  about: Record<string, string | number>;
};

const LOG_LEVEL = { info: 'info', warn: 'warn', error: 'error', revenue: 'info' } as const;

/** Tells the operator. Never fails and never holds up what it tells about. */
export function notify(deps: { log: Log }, alert: Alert): void {
  deps.log[LOG_LEVEL[alert.level]]({ alert }, `alert: ${alert.kind}`);
}
