import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../clients/errors.ts';
import type { CallPace, MessengerClient, MessengerReader } from '../../clients/messenger/types.ts';
import type { Clock, Timed } from '../../lib/clock.ts';
import type { Cipher } from '../../lib/crypto.ts';
import type { Db } from '../../lib/db.ts';
import { freeLease, isLeaseFree, keepLease, takeLease } from '../../lib/lease.ts';
import type { Log } from '../../lib/log.ts';
import { type Alerts, notify } from '../base/alerts/service.ts';
import type { AccountKey } from './dialogs/schema.ts';
import * as repo from './repo.ts';
import { currentGap, gapAfterFlood } from './rules.ts';
import { type CallRates, PACED_KINDS, type PacedKind, type SealedAccount } from './schema.ts';

/** A reader that gives no sign of life for this long has lost the account to the next one. */
const LEASE_SECONDS = 12;
const ASK_EVERY_MS = 250;

export type MessengerDeps = Timed & { cipher: Cipher; messenger: MessengerClient; log: Log; alerts: Alerts };

/** An account whose one connection we hold. The signal fires when we no longer hold it. */
export type LeasedAccount = { reader: MessengerReader; signal: AbortSignal; account: SealedAccount };

/** The additional data of the cipher, with which sealed credentials open for this account only. */
export const credentialsContext = (accountId: string): string => `messenger account ${accountId}`;

/** A messenger account's one connection can't be had. */
export class NoConnection extends Error {}
/** Another process or job is using the connection. */
export class AccountBusy extends NoConnection {}
/** The account is no longer connected. */
export class NotConnected extends NoConnection {}

/** A request for the account's connection. `isWanted` is asked every few seconds whether the work is still to be done. */
type ConnectionRequest = AccountKey & { waitSeconds: number; signal?: AbortSignal; isWanted?(): Promise<boolean> };

/**
 * Runs `use` on the account's connection, alone among all processes: the messenger kills a session that is used from
 * two places. Waits up to `waitSeconds` for its turn, then throws {@link AccountBusy}, or {@link NotConnected}. The signal
 * fires with one of these errors when the connection is lost. A dead session ends the account before its error is thrown.
 * Calls are sent at the rate learned from the account's flood waits.
 */
export async function withAccount<T>(
  deps: MessengerDeps,
  account: ConnectionRequest,
  use: (leased: LeasedAccount) => Promise<T>,
): Promise<T> {
  const { lease, ...leased } = await takeAccount(deps, account);
  const { sealedCredentials, callRates } = leased;
  const lost = new AbortController();
  const signal = account.signal ? AbortSignal.any([account.signal, lost.signal]) : lost.signal;
  const stopRenewing = keepLease(deps, lease, {
    isWanted: async () => (await repo.isActive(deps.db, account)) && (await (account.isWanted?.() ?? true)),
    onLost: isWanted => lost.abort(isWanted ? new AccountBusy() : new NotConnected()),
  });
  const released = new AbortController();
  const inUse = AbortSignal.any([signal, released.signal]);
  const { pace, learnedRates } = createCallPace({ rates: callRates, clock: deps.clock, signal: inUse });
  let session: string | undefined;
  try {
    session = openSession(deps, account.accountId, sealedCredentials);
    return await deps.messenger.withConnection(session, reader => use({ reader, signal, account: leased }), {
      signal,
      pace,
    });
  } catch (err) {
    // Where the key of the credentials is lost, the account stays: another process may have it.
    if (session !== undefined && err instanceof ClientError && err.kind === 'auth') {
      const { userId, accountId } = account;
      const status = err.code === 'ACCOUNT_BANNED' ? 'banned' : 'expired';
      const ended = await repo.endDeadAccount(deps.db, account, { status, sealedCredentials });
      if (ended) notify(deps, { level: 'error', source: 'messenger', kind: err.code, about: { userId, accountId } });
    }
    throw err;
  } finally {
    stopRenewing();
    // Calls that wait for their turn must not wake up on a closed connection.
    released.abort(new AccountBusy());
    const rates = learnedRates();
    // Rates are learned again; what became of the work must not be replaced by a failure here.
    const warn = (err: unknown) => deps.log.warn({ err, accountId: account.accountId }, 'call rates not stored');
    if (rates) await repo.setCallRates(deps.db, account, rates).catch(warn);
    await freeLease(deps, lease);
  }
}

/** Throws ClientError (auth) where the key of the credentials is lost: the person must sign in again. */
function openSession({ cipher, log }: MessengerDeps, accountId: string, sealedCredentials: string): string {
  try {
    return cipher.decrypt(sealedCredentials, credentialsContext(accountId));
  } catch (cause) {
    log.error({ err: cause, accountId }, 'credentials not opened');
    throw new ClientError({ service: 'messenger', kind: 'auth', code: 'SESSION_EXPIRED', cause });
  }
}

export const nameAccountLease = (accountId: string): string => `messenger account ${accountId}`;

async function takeAccount(deps: MessengerDeps, account: ConnectionRequest) {
  const deadline = performance.now() + account.waitSeconds * 1000;
  for (;;) {
    const lease = await takeLease(deps.db, [nameAccountLease(account.accountId)], LEASE_SECONDS);
    const found = await repo.getSealedAccount(deps.db, account).catch(async err => {
      if (lease) await freeLease(deps, lease);
      throw err;
    });
    const { sealedCredentials, status } = found;
    if (lease && status === 'active' && sealedCredentials) return { ...found, lease, sealedCredentials };
    if (lease) await freeLease(deps, lease);
    if (status !== 'active') throw new NotConnected();
    if (performance.now() >= deadline) throw new AccountBusy();
    await sleep(ASK_EVERY_MS, undefined, account);
  }
}

/** Waits until the account's connection is free. False when `seconds` were not enough. */
export async function waitForLease(deps: { db: Db }, account: AccountKey, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await isLeaseFree(deps.db, nameAccountLease(account.accountId)))) {
    if (performance.now() >= deadline) return false;
    await sleep(ASK_EVERY_MS);
  }
  return true;
}

/** Calls are sent up to this share of the gap earlier or later, so that they follow no regular rhythm. */
const JITTER = 0.1;

type Options = {
  rates: CallRates;
  clock: Clock;
  /** Calls not sent before it fires are never sent: they reject with its reason. */
  signal?: AbortSignal;
  /** Milliseconds of a clock that is never set back. */
  elapsed?: () => number;
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
  random?: () => number;
};

/** The calls of one kind on this connection: the gap between them, how many were answered, and since when (milliseconds). */
type Meter = { gapMs: number; answered: number; since: number | undefined };

/**
 * The one line in which an account's calls wait on a connection. Until the messenger first makes the account wait, no
 * call waits. Once it does, the rate that it accepted is learned, and nothing more is sent on this connection:
 * asking before the time is up makes the wait longer.
 */
export function createCallPace(options: Options): { pace: CallPace; learnedRates(): CallRates | undefined } {
  const { rates, clock, signal, elapsed = () => performance.now(), random = Math.random } = options;
  const wait = options.wait ?? ((milliseconds, until) => sleep(milliseconds, undefined, until && { signal: until }));
  const meterOf = (kind: PacedKind): Meter => ({
    gapMs: currentGap(rates[kind], clock.now()),
    answered: 0,
    since: undefined,
  });
  const meters = { dialogs: meterOf('dialogs'), history: meterOf('history') } satisfies Record<PacedKind, Meter>;
  let learned: CallRates | undefined;
  let flood: ClientError | undefined;
  let nextAt = 0;

  async function waitForSlot({ gapMs }: Meter): Promise<void> {
    if (gapMs > 0) {
      const now = elapsed();
      const at = Math.max(now, nextAt);
      nextAt = at + gapMs * (1 + JITTER * (2 * random() - 1));
      if (at > now) await wait(at - now, signal).catch(() => signal?.throwIfAborted());
    }
    signal?.throwIfAborted();
    if (flood) throw flood;
  }

  function learn(kind: PacedKind, refusal: ClientError): void {
    if (flood) return;
    flood = refusal;
    const { gapMs, answered, since } = meters[kind];
    const waitMs = (refusal.retryAfterSeconds ?? 0) * 1000;
    const elapsedMs = elapsed() - (since ?? elapsed());
    const everyMs = gapAfterFlood(kind, { gapMs, answered, elapsedMs, waitMs });
    if (everyMs > 0) learned = { ...rates, [kind]: { everyMs, learnedAt: clock.now().toISOString() } };
  }

  return {
    learnedRates: () => learned,
    async pace(kind, send) {
      const paced = PACED_KINDS.find(one => one === kind);
      if (!paced) return send();
      const meter = meters[paced];
      await waitForSlot(meter);
      meter.since ??= elapsed();
      try {
        const answer = await send();
        meter.answered += 1;
        return answer;
      } catch (err) {
        if (err instanceof ClientError && err.kind === 'rateLimited') learn(paced, err);
        throw err;
      }
    },
  };
}
