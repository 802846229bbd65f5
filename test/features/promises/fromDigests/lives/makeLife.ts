import type { QuotedClosing } from '../../../../../src/clients/summarizer/types.ts';
import type { Kind } from '../../../../../src/features/promises/schema.ts';

/**
 * The life of one conversation: what is written in it, how its days are read and read again, and what its person does.
 * Each step holds all of its own chance, so that a life stays the same when other steps are taken out of it.
 */
export type Step =
  /** A message with a promise of whoever writes it, or of the other side; perhaps it answers a request just before. */
  | { do: 'say'; by: Side; of: Side; answers: boolean; cites: boolean; due: number | null; kind: Kind }
  /** A message that says what became of an earlier promise. */
  | { do: 'close'; pick: number; by: Side; state: QuotedClosing['state'] }
  | ({ do: 'sync'; minMessages: number; limit: number } & Voiced)
  | ({ do: 'rewrite'; pick: number } & Voiced)
  | { do: 'day'; days: number }
  | { do: 'look' }
  | { do: 'decide'; pick: number; action: Action }
  | { do: 'edit'; pick: number; field: 'words' | 'side' }
  | { do: 'cleanUp' };

export type Side = 'user' | 'contact';
export type Action = 'done' | 'dismiss' | 'reopen' | 'undo';
/** How a writer reads: `seed` decides what it leaves out, cites and takes for someone else's. */
export type Voiced = { voice: 'builtIn' | 'model' | 'german'; seed: number };

export type Chance = ReturnType<typeof createChance>;

/** 32 bits of chance from a number; small and the same everywhere. */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number) => Math.floor(next() * below);
  const is = (share: number) => next() < share;
  const one = <T>(of: readonly [T, ...T[]]): T => of[whole(of.length)] ?? of[0];
  return { next, whole, is, one };
}

const SIDES = ['user', 'contact'] as const;
const VOICES = ['builtIn', 'model', 'german'] as const;
const KINDS = ['promise', 'promise', 'appointment', 'deadline'] as const;
const ACTIONS = ['done', 'dismiss', 'reopen', 'undo', 'undo'] as const;
const CLOSINGS = ['done', 'cancelled', 'moved', 'doubtful', 'handedOver'] as const;

/** A life of about a dozen steps, each of which changes something. */
export function makeLife(seed: number): Step[] {
  const { whole, is, one, next } = createChance(seed);
  const voiced = () => ({ voice: one(VOICES), seed: whole(1e6) });
  const say = (): Step => {
    const by = one(SIDES);
    const of = is(0.7) ? by : one(SIDES);
    const due = is(0.5) ? whole(4) : null;
    return { do: 'say', by, of, answers: is(0.4), cites: is(0.6), due, kind: due === null ? 'promise' : one(KINDS) };
  };
  const sync = (): Step => {
    return { do: 'sync', ...voiced(), minMessages: is(0.15) ? 4 : 1, limit: is(0.1) ? 3 : 500 };
  };
  const rewrite = (): Step => ({ do: 'rewrite', pick: next(), ...voiced() });
  const close = (): Step => ({ do: 'close', pick: next(), by: one(SIDES), state: one(CLOSINGS) });
  const decide = (): Step => ({ do: 'decide', pick: next(), action: one(ACTIONS) });
  const day = (): Step => ({ do: 'day', days: 1 + whole(3) });
  const makers = [
    ...[say, say, sync, sync, rewrite, rewrite, close, decide, decide, day],
    ...[
      (): Step => ({ do: 'look' }),
      (): Step => ({ do: 'edit', pick: next(), field: is(0.5) ? 'words' : 'side' }),
      (): Step => ({ do: 'cleanUp' }),
    ],
  ];
  const more = Array.from({ length: 6 + whole(8) }, () => (makers[whole(makers.length)] ?? sync)());
  return [say(), sync(), ...(is(0.7) ? [{ do: 'look' } as const] : []), ...more];
}
