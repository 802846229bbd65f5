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
