import { digitsOf } from './account.ts';

/** An error the next matching calls get instead of an answer. */
export type PlannedFailure = { method?: string; phone?: string; times: number; code: number; message: string };
export type SharedFailure = { method?: string; share: number; code: number; message: string };

/** Faults that a test orders. What concerns single calls is decided here, the rest where it happens. */
export type Faults = {
  failNext(failure: PlannedFailure): void;
  /** @param failure.share between 0 and 1: this part of the matching calls fails, evenly spread */
  failShare(failure: SharedFailure): void;
  /** Every answer, or those of one method, come this much later. */
  delay(milliseconds: number, method?: string): void;
  /** The next calls of this method are never answered. */
  swallow(method: string, times: number): void;
  /**
   * In the next answers of this method every list begins with something of a kind no client knows.
   * @param peer only in answers to calls about this conversation: `user:5001`
   */
  garble(method: string, times: number, peer?: string): void;
  /** Every open connection breaks at once. */
  dropConnections(): void;
  /** Auth keys are unknown to the server (transport error -404) until switched off. */
  refuseKeys(on: boolean): void;
  /** Connections are accepted, and nothing is ever answered, until switched off. */
  silence(on: boolean): void;
  /** A signed-in key seen on two connections at once is dead for good: AUTH_KEY_DUPLICATED, as on the real server. */
  endSharedKeys(on: boolean): void;
  /** The account's sessions are ended from elsewhere: SESSION_REVOKED until they sign in again. */
  revokeSessions(phone: string): void;
  /** The account lives in another data centre from now on, until the next start: USER_MIGRATE_n for whoever asks here. */
  moveAccount(phone: string, dc: number): void;
  /** The account is closed: USER_DEACTIVATED, and no code is sent to it. */
  deactivate(phone: string): void;
  /** Codes sent to this phone and not yet used are too old. */
  expireCodes(phone: string): void;
  /** Ends all of the above; what was already revoked, moved or expired stays so. */
  clear(): void;
};

export type Verdict = { kind: 'answer' | 'swallow' | 'garble' } | { kind: 'fail'; code: number; message: string };

export type FaultPlan = Pick<
  Faults,
  'failNext' | 'failShare' | 'delay' | 'swallow' | 'garble' | 'refuseKeys' | 'silence' | 'endSharedKeys' | 'clear'
> & {
  /**
   * What becomes of this call; counts down what was planned.
   * @param about phones: digits the call concerns; peer: the conversation it is about, when it names one
   */
  verdict(method: string, about: { phones: string[]; peer: string | undefined }): Verdict;
  delayOf(method: string): number;
  keysRefused(): boolean;
  silent(): boolean;
  sharedKeysEnd(): boolean;
  deactivated: Set<string>;
};

type Share = SharedFailure & { due: number };

export function makeFaultPlan(baseDelayMs: number): FaultPlan {
  const failures: PlannedFailure[] = [];
  const shares: Share[] = [];
  const swallows = new Map<string, number>();
  const garbles = new Map<string, number>();
  const delays = new Map<string | undefined, number>();
  const switches = { keysRefused: false, silent: false, sharedKeysEnd: false };
  const deactivated = new Set<string>();
  return {
    deactivated,
    failNext: failure => void failures.push({ ...failure }),
    failShare: failure => void shares.push({ ...failure, due: 0 }),
    delay: (milliseconds, method) => void delays.set(method, milliseconds),
    swallow: (method, times) => void swallows.set(method, times),
    garble: (method, times, peer) => void garbles.set(peer ? `${method} ${peer}` : method, times),
    refuseKeys: on => void Object.assign(switches, { keysRefused: on }),
    silence: on => void Object.assign(switches, { silent: on }),
    endSharedKeys: on => void Object.assign(switches, { sharedKeysEnd: on }),
    clear() {
      failures.length = 0;
      shares.length = 0;
      for (const planned of [swallows, garbles, delays, deactivated]) planned.clear();
      Object.assign(switches, { keysRefused: false, silent: false, sharedKeysEnd: false });
    },
    verdict(method, { phones, peer }) {
      if (isDue(swallows, method)) return { kind: 'swallow' };
      if (isDue(garbles, method) || isDue(garbles, `${method} ${peer}`)) return { kind: 'garble' };
      return nextFailure(failures, method, phones) ?? shareOf(shares, method) ?? { kind: 'answer' };
    },
    delayOf: method => baseDelayMs + (delays.get(undefined) ?? 0) + (delays.get(method) ?? 0),
    keysRefused: () => switches.keysRefused,
    silent: () => switches.silent,
    sharedKeysEnd: () => switches.sharedKeysEnd,
  };
}

/** Counts down. */
function isDue(planned: Map<string, number>, method: string): boolean {
  const times = planned.get(method) ?? 0;
  if (times > 0) planned.set(method, times - 1);
  return times > 0;
}

function nextFailure(failures: PlannedFailure[], method: string, phones: string[]): Verdict | undefined {
  const planned = failures.find(
    failure =>
      failure.times > 0 &&
      (failure.method ?? method) === method &&
      (failure.phone === undefined || phones.includes(digitsOf(failure.phone))),
  );
  if (!planned) return undefined;
  planned.times -= 1;
  return { kind: 'fail', code: planned.code, message: planned.message };
}

function shareOf(shares: Share[], method: string): Verdict | undefined {
  const planned = shares.find(share => (share.method ?? method) === method);
  if (!planned) return undefined;
  planned.due += planned.share;
  if (planned.due < 1) return undefined;
  planned.due -= 1;
  return { kind: 'fail', code: planned.code, message: planned.message };
}
