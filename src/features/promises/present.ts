import type { LedgerPromise, PromiseJson } from './schema.ts';

/** A promise as the API gives it. */
export function toJson(row: LedgerPromise): PromiseJson {
  const { peerName, peerUsername, peerPhone: _, replacedByWords: __, undoes: ___, changedAt, ...promise } = row;
  return { ...promise, changedAt: changedAt.toISOString(), dialog: { peerName, peerUsername } };
}
