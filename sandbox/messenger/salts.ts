import type { State } from './state.ts';

const LIFETIME_SECONDS = 3600;

export type Salt = { validSince: number; validUntil: number; value: bigint };

/**
 * The salts of one auth key, the current one first. They are derived, so that they survive a restart without being
 * stored.
 */
export function saltsOf(state: State, keyId: string, count: number): Salt[] {
  const period = currentPeriod();
  return Array.from({ length: count }, (_, index) => saltOf(state, keyId, period + index));
}

/** Whether it is the current salt or the one before it. */
export function isValidSalt(state: State, keyId: string, salt: bigint): boolean {
  const period = currentPeriod();
  return [period, period - 1].some(each => saltOf(state, keyId, each).value === salt);
}

export function currentSalt(state: State, keyId: string): bigint {
  return saltOf(state, keyId, currentPeriod()).value;
}

function currentPeriod(): number {
  return Math.floor(Date.now() / 1000 / LIFETIME_SECONDS);
}

function saltOf(state: State, keyId: string, period: number): Salt {
  return {
    validSince: period * LIFETIME_SECONDS,
    validUntil: (period + 2) * LIFETIME_SECONDS,
    value: state.derive(`salt:${keyId}:${period}`),
  };
}
