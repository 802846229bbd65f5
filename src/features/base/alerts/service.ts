import type { Alert } from './schema.ts';

export { countAlertsSince, deleteAlertsAbout, deleteOldAlerts, listAlerts } from './repo.ts';

/** Stores an alert for the operator and delivers it in the background. */
export type Alerts = {
  /** Never fails and never delays the caller. */
  tell(alert: Alert): void;
  /** Waits until the alerts so far are stored, a few seconds at most. Later ones are only logged. */
  close(): Promise<void>;
};

/** Alerts the operator. Never fails and never delays the caller; it is not part of the caller's transaction. */
export function notify(deps: { alerts: Alerts }, alert: Alert): void {
  deps.alerts.tell(alert);
}
