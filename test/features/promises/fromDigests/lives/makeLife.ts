import type { QuotedClosing } from '../../../../../src/clients/summarizer/types.ts';
import type { Kind } from '../../../../../src/features/promises/schema.ts';

/**
 * The life of one conversation: what is written in it, how its days are read and read again, and what its person does.
 * Each step holds all of its own chance, so that a life stays the same when other steps are taken out of it.
 */
export type Step =
  /** A message with promises of whoever writes it, or of the other side; perhaps it answers a request just before. */
  | { do: 'say'; by: Side; of: Side[]; answers: boolean; cites: boolean; due: number | null; kind: Kind }
  /** The words of an earlier promise once more. */
  | { do: 'repeat'; pick: number }
  /** A message that says what became of an earlier promise. */
  | { do: 'close'; pick: number; by: Side; state: QuotedClosing['state'] }
  /** A message of the user's that answers all that was asked before it. */
  | { do: 'answer' }
  | ({ do: 'sync'; minMessages: number; limit: number } & Voiced)
  | ({ do: 'rewrite'; pick: number } & Voiced)
  /** Two syncs of the day at once, as when a worker is presumed dead, and the person looks meanwhile. */
  | ({ do: 'syncTwice' } & Voiced)
  /** A rewrite of a digest and a sync at once, and the person decides meanwhile. */
  | ({ do: 'rewriteAtOnce'; pick: number; action: Action } & Voiced)
  | { do: 'day'; days: number }
  | { do: 'look' }
  | { do: 'mail' }
  | { do: 'decide'; pick: number; action: Action; days: number }
  | { do: 'edit'; pick: number; field: 'words' | 'due' | 'side' | 'kind' }
  | { do: 'add'; pick: number; kind: Kind; due: number | null }
  | { do: 'merge' }
  | { do: 'cleanUp' };

export type Side = 'user' | 'contact';
export type Action = 'done' | 'cancel' | 'dismiss' | 'snooze' | 'move' | 'reopen' | 'undo';
/** How a writer reads: `seed` decides what it leaves out, splits, cites and takes for someone else's. */
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
const ACTIONS = ['done', 'cancel', 'dismiss', 'snooze', 'move', 'reopen', 'undo', 'undo', 'undo'] as const;
const CLOSINGS = ['done', 'cancelled', 'moved', 'doubtful', 'handedOver'] as const;
const FIELDS = ['words', 'due', 'side', 'kind'] as const;

/** A life of about a dozen steps, each of which changes something. */
export function makeLife(seed: number): Step[] {
  const { whole, is, one, next } = createChance(seed);
  const voiced = () => ({ voice: one(VOICES), seed: whole(1e6) });
  const say = (): Step => {
    const by = one(SIDES);
    const of = is(0.25) ? [by, one(SIDES)] : [is(0.7) ? by : one(SIDES)];
    const due = is(0.5) ? whole(4) : null;
    return { do: 'say', by, of, answers: is(0.4), cites: is(0.6), due, kind: due === null ? 'promise' : one(KINDS) };
  };
  const sync = (): Step => {
    return { do: 'sync', ...voiced(), minMessages: is(0.15) ? 4 : 1, limit: is(0.1) ? 3 : 500 };
  };
  const rewrite = (): Step => ({ do: 'rewrite', pick: next(), ...voiced() });
  const close = (): Step => ({ do: 'close', pick: next(), by: one(SIDES), state: one(CLOSINGS) });
  const back = (): Step => ({ do: 'decide', pick: next(), action: is(0.7) ? 'undo' : 'reopen', days: 1 });
  const again = (): Step => (is(0.5) ? { do: 'cleanUp' } : rewrite());
  const others: (readonly [number, () => Step | Step[]])[] = [
    [16, say],
    [4, () => ({ do: 'repeat', pick: next() })],
    [9, close],
    [3, () => ({ do: 'answer' })],
    [16, sync],
    [18, rewrite],
    [3, () => ({ do: 'syncTwice', ...voiced() })],
    [4, () => ({ do: 'rewriteAtOnce', pick: next(), action: one(ACTIONS), ...voiced() })],
    [8, () => ({ do: 'day', days: 1 + whole(2) })],
    [8, () => ({ do: 'look' })],
    [2, () => ({ do: 'mail' })],
    [18, () => ({ do: 'decide', pick: next(), action: one(ACTIONS), days: 1 + whole(3) })],
    [6, () => ({ do: 'edit', pick: next(), field: one(FIELDS) })],
    [3, () => ({ do: 'add', pick: next(), kind: one(KINDS), due: is(0.6) ? whole(3) : null })],
    [1, () => ({ do: 'merge' })],
    [4, () => ({ do: 'cleanUp' })],
    // Taken back, and then read once more.
    [5, () => [{ do: 'day', days: 3 }, { do: 'cleanUp' }, back(), again()]],
    [5, () => [close(), sync(), back(), rewrite()]],
  ];
  const total = others.reduce((sum, [weight]) => sum + weight, 0);
  const any = (): Step | Step[] => {
    let at = next() * total;
    for (const [weight, make] of others) {
      at -= weight;
      if (at < 0) return make();
    }
    return sync();
  };
  return [
    say(),
    sync(),
    ...(is(0.7) ? [{ do: 'look' } as const] : []),
    ...Array.from({ length: 4 + whole(5) }, any).flat(),
  ];
}
