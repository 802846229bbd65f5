import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from '../../clients/errors.ts';
import type { CallPace } from '../../clients/messenger/types.ts';
import type { Clock } from '../../lib/clock.ts';
import { gapAfterFlood, gapOf } from './rules.ts';
import { type CallRates, PACED_KINDS, type PacedKind } from './schema.ts';

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

/** The calls of a kind on this connection: how many were answered, since when. */
type Meter = { gapMs: number; answered: number; since: number | undefined };

/**
 * The one line in which an account's calls wait on a connection. Until the messenger first makes the account wait, no
 * call waits. Once it does, the rate that it accepted is learned, and nothing more is sent on this connection:
 * asking before the time is up makes the wait longer.
 */
export function createCallPace(options: Options): { pace: CallPace; learned(): CallRates | undefined } {
  const { rates, clock, signal, elapsed = () => performance.now(), random = Math.random } = options;
  const wait = options.wait ?? sleepUntil;
  const meterOf = (kind: PacedKind): Meter => ({
    gapMs: gapOf(rates[kind], clock.now()),
    answered: 0,
    since: undefined,
  });
  const meters = { dialogs: meterOf('dialogs'), history: meterOf('history') } satisfies Record<PacedKind, Meter>;
  let learned: CallRates | undefined;
  let flood: ClientError | undefined;
  let nextAt = 0;

  async function takeTurn({ gapMs }: Meter): Promise<void> {
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
    learned: () => learned,
    async pace(kind, send) {
      if (!isPaced(kind)) return send();
      const meter = meters[kind];
      await takeTurn(meter);
      meter.since ??= elapsed();
      try {
        const answer = await send();
        meter.answered += 1;
        return answer;
      } catch (err) {
        if (err instanceof ClientError && err.kind === 'rateLimited') learn(kind, err);
        throw err;
      }
    },
  };
}

function sleepUntil(milliseconds: number, signal: AbortSignal | undefined): Promise<unknown> {
  return sleep(milliseconds, undefined, signal && { signal });
}

function isPaced(kind: string): kind is PacedKind {
  return PACED_KINDS.some(paced => paced === kind);
}
