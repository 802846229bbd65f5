import { ClientError } from '../../../clients/errors.ts';
import { spreadOf } from '../rules.ts';

/** Longer floods end the job; shorter ones are waited for. */
export const LONGEST_FLOOD_WAIT_SECONDS = 300;
const FLOODS = 2;
/** Another sync comes after at most this many times the patience of one: an hour for five minutes. */
const LONGEST_PAUSE = 12;

/** How long one sync of an account waits for the messenger: a few floods, and one outage. */
export type Patience = {
  /** Seconds until the account is tried again; undefined when the job should end. */
  pauseAfter(err: unknown): number | undefined;
  /** Something was read: the next failure is another outage. */
  renew(): void;
};

/** @param seconds how long to wait out an outage: one second, then two, four … up to a fifth of it between tries */
export function createPatience(seconds: number, now: () => number = () => performance.now()): Patience {
  let floods = 0;
  let tries = 0;
  let endsAt = 0;
  return {
    pauseAfter(err) {
      if (!(err instanceof ClientError)) return undefined;
      if (err.kind === 'rateLimited') return floods++ < FLOODS ? shortFlood(err) : undefined;
      if (err.kind !== 'temporary') return undefined;
      if (tries === 0) endsAt = now() + seconds * 1000;
      const left = (endsAt - now()) / 1000;
      return left > 0 ? Math.min(2 ** tries++, seconds / 5, left) : undefined;
    },
    renew() {
      tries = 0;
    },
  };
}

function shortFlood(err: ClientError): number | undefined {
  const wait = err.retryAfterSeconds ?? 60;
  return wait <= LONGEST_FLOOD_WAIT_SECONDS ? wait : undefined;
}

/**
 * Seconds until another sync, after an outage that was too long for this one: the patience, doubled for each earlier
 * sync in a row that ended the same way, and spread across users, since an outage ends for everybody at once.
 */
export function pauseAfterOutage(
  { userId, outages }: { userId: string; outages: number },
  patienceSeconds: number,
): number {
  const pause = patienceSeconds * Math.min(2 ** outages, LONGEST_PAUSE);
  return Math.ceil(pause / 2 + spreadOf(userId, pause / 2));
}
