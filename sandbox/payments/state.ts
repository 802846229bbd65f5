import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { StartError } from '../../src/lib/startError.ts';
import { type Price, type Stored, stored } from './records.ts';

/** Everything the provider knows. Whoever changes it calls `save` before anybody hears of it. */
export type PaymentsState = Stored & {
  prices: readonly Price[];
  /** Seconds since 1970. */
  now(): number;
  newId(prefix: string): string;
  save(): void;
};

const NOTHING: Stored = { customers: [], subscriptions: [], checkouts: [], portals: [], events: [] };
/** Of each kind, so that the file stays small. */
const KEPT = 500;

/** Throws {@link StartError} when the file is not ours. */
export function openPaymentsState(options: { stateDir: string; prices: readonly Price[] }): PaymentsState {
  mkdirSync(options.stateDir, { recursive: true, mode: 0o700 });
  const file = join(options.stateDir, 'payments.json');
  const content = existsSync(file) ? readStored(file) : structuredClone(NOTHING);
  return {
    ...content,
    prices: options.prices,
    now: () => Math.floor(Date.now() / 1000),
    newId: prefix => `${prefix}_${randomBytes(12).toString('base64url').replace(/[-_]/g, 'x')}`,
    save() {
      forgetOld(content.events);
      forgetOld(content.checkouts);
      forgetOld(content.portals);
      writeFileAtomic.sync(file, JSON.stringify(content), { mode: 0o600, fsync: false });
    },
  };
}

function forgetOld(records: unknown[]): void {
  if (records.length > KEPT) records.splice(0, records.length - KEPT);
}

function readStored(file: string): Stored {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartError(`${file} can't be read. Remove it to begin with a new payment provider.`);
  }
}
