import type { LedgerPromise, PromiseJson } from './schema.ts';

/** A promise as the API gives it. */
export function toJson(row: LedgerPromise): PromiseJson {
  const { peerName, peerUsername, peerPhone: _, saidBy: __, request: ___, ...rest } = row;
  const { replacedByWords: ____, undoes: _____, changedAt, ...promise } = rest;
  return { ...promise, changedAt: changedAt.toISOString(), dialog: { peerName, peerUsername } };
}
