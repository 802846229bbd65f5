import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openStore } from '../store.ts';
import { type Price, type Stored, type StoredEntry, storedEntry } from './records.ts';

/** Everything the provider knows. Every change is stored before it is answered or announced. */
export type PaymentsState = Readonly<Stored> & {
  prices: readonly Price[];
  /** Seconds since 1970. */
  now(): number;
  newId(prefix: string): string;
  /** Stores records that are new or were changed, all of them or none. */
  save(...entries: StoredEntry[]): void;
};

/** How many records of each of these kinds are kept, so that the file stays small. */
const KEPT = 500;
const FORGOTTEN = ['events', 'checkouts', 'portals'] as const;

/** Throws {@link StartError} when the file is not ours. */
export function openPaymentsState(options: { stateDir: string; prices: readonly Price[] }): PaymentsState {
  const file = join(options.stateDir, 'payments.jsonl');
  const store = openStore({ file, schema: storedEntry, keyOf, fresh: 'a new payment provider' });
  const lists: Stored = { customers: [], subscriptions: [], checkouts: [], portals: [], events: [] };

  function take({ kind, record }: StoredEntry): void {
    const list: unknown[] = lists[kind];
    if (!list.includes(record)) list.push(record);
  }

  function forgetOld(): void {
    for (const kind of FORGOTTEN) {
      const old = lists[kind].splice(0, Math.max(0, lists[kind].length - KEPT));
      for (const { id } of old) store.entries.delete(`${kind} ${id}`);
    }
  }

  for (const entry of store.entries.values()) take(entry);
  forgetOld();
  return {
    ...lists,
    prices: options.prices,
    now: () => Math.floor(Date.now() / 1000),
    newId: prefix => `${prefix}_${randomBytes(12).toString('base64url').replace(/[-_]/g, 'x')}`,
    save(...entries) {
      for (const entry of entries) take(entry);
      store.put(entries);
      forgetOld();
    },
  };
}

function keyOf({ kind, record }: StoredEntry): string {
  return `${kind} ${record.id}`;
}
