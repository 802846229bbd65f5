import type { Clock } from '../../../lib/clock.ts';

export type ExpiringMap<V> = {
  get(key: string): V | undefined;
  /** A later value for the same key is forgotten when the first one would have been. */
  set(key: string, value: V): void;
  values(): V[];
  clear(): void;
};

/** Values that are forgotten after a time, the oldest of them earlier when there are too many. */
export function createExpiringMap<V>({ clock, most, ms }: { clock: Clock; most: number; ms: number }): ExpiringMap<V> {
  const kept = new Map<string, { value: V; until: number }>();
  const forget = () => {
    const now = clock.now().getTime();
    for (const [key, { until }] of kept) {
      // A clock that was set back must not keep anything longer.
      const isOver = until <= now || until > now + ms;
      if (isOver || kept.size > most) kept.delete(key);
      else return;
    }
  };
  return {
    get(key) {
      forget();
      return kept.get(key)?.value;
    },
    set(key, value) {
      forget();
      const until = kept.get(key)?.until ?? clock.now().getTime() + ms;
      kept.set(key, { value, until });
      forget();
    },
    values() {
      forget();
      return [...kept.values()].map(({ value }) => value);
    },
    clear: () => kept.clear(),
  };
}
