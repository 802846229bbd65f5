import type { Alert } from './schema.ts';

/** Stores an alert for the operator and delivers it in the background. */
export type Alerts = {
  /** Never fails and never holds up what it tells about. */
  tell(alert: Alert): void;
  /** Waits until what was told so far is stored, a few seconds at the longest. What is told later is only logged. */
  close(): Promise<void>;
};

/** Tells the operator. Never fails and never holds up what it tells about; it is no part of the caller's transaction. */
export function notify(deps: { alerts: Alerts }, alert: Alert): void {
  deps.alerts.tell(alert);
}
