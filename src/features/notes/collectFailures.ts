import type { ClientError } from '../../clients/errors.ts';

/** Collects failures, each kind once, with the conversations that it concerns. */
export type FailureCollector<Kind> = {
  add(kind: Kind, dialogIds?: readonly string[]): void;
  list(): (Kind & { dialogIds: string[] })[];
};

export function collectFailures<Kind extends object>(): FailureCollector<Kind> {
  const kinds = new Map<string, Kind & { dialogIds: string[] }>();
  return {
    add(kind, dialogIds = []) {
      const key = JSON.stringify(kind);
      const known = kinds.get(key)?.dialogIds ?? [];
      kinds.set(key, { ...kind, dialogIds: [...new Set([...known, ...dialogIds])] });
    },
    list: () => [...kinds.values()],
  };
}

/** Seconds before the next try. A call that may still come through late is given time to do so. */
export function pauseAfter(err: ClientError): number {
  if (err.kind === 'rateLimited') return err.retryAfterSeconds ?? 10;
  if (err.kind === 'temporary') return 5;
  return err.kind === 'auth' ? 1 : 60;
}
