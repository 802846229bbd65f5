import type { Logger } from 'pino';
import { type Account, digitsOf } from './account.ts';
import { type DataCentres, servedBy } from './dataCentres.ts';
import type { MessengerFaultPlan } from './faults.ts';
import type { KeyUse } from './keyUse.ts';
import type { ServerKey } from './serverKey.ts';
import type { AuthKey, State } from './state.ts';
import type { TlObject } from './tl.ts';

/** The sessions that get updates: all that ever made a call without declining them. */
export type UpdateHub = {
  /** Until the returned function is called. */
  subscribe(key: AuthKey, push: (update: TlObject) => void): () => void;
  publish(worldKey: string, update: TlObject): void;
  /** To the sessions of one key, signed in or not. */
  publishToKey(keyId: string, update: TlObject): void;
};

/** The state that every part of the server shares. */
export type Sandbox = {
  port: number;
  dataCentres: DataCentres;
  serverKey: ServerKey;
  state: State;
  /** By the world's key. */
  accounts: Map<string, Account>;
  faults: MessengerFaultPlan;
  /** Calls by method since the last reset. */
  calls: Map<string, number>;
  updates: UpdateHub;
  keyUse: KeyUse;
  log: Logger | null;
};

/** The data centre that serves an account: its own, where there is more than one. */
export function homeOf(sandbox: Sandbox, account: Account): number {
  return servedBy(sandbox.dataCentres, account.dc);
}

/** @param phone in any spelling */
export function accountByPhone(sandbox: Sandbox, phone: string): Account | undefined {
  return [...sandbox.accounts.values()].find(account => account.phone === digitsOf(phone));
}

/** The error for a key that was used from two places. */
export const KEY_DUPLICATED = 'AUTH_KEY_DUPLICATED';

/** Signs a key out. Its next calls get the error. */
export function signOut(sandbox: Sandbox, key: AuthKey, refusal: string | null): void {
  Object.assign(key, { account: null, passwordPending: null, code: null, loginToken: null, refusal });
  sandbox.state.saveKey(key);
}
