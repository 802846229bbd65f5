import { HEADS, type Weights } from '../../src/clients/summarizer/builtIn/excerpt/odds.ts';
import { readSignals, SIGNALS } from '../../src/clients/summarizer/builtIn/excerpt/signals.ts';
import { readAll } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import type { KeyedDay } from './days.ts';
import { fit } from './fit.ts';

/** A useful matter counts for this much of one that must be shown. */
const USEFUL = 0.4;
const L2 = 40;

/** A day as the product hears it, with the turns of each key by index. */
export async function heard({ request, keys }: KeyedDay) {
  const { turns, tasks, open } = await readAll(request);
  const indexOf = new Map(turns.map(({ utterance }, index) => [utterance.messageId, index]));
  const keysByTurn = keys.map(({ messages, weight }) => ({
    worth: weight === 'essential' ? 1 : USEFUL,
    turns: messages.flatMap(id => indexOf.get(String(id)) ?? []).toSorted((one, other) => one - other),
  }));
  return { turns, signals: readSignals(turns, tasks, open), keys: keysByTurn };
}

export type Heard = Awaited<ReturnType<typeof heard>>;

const TARGETS: Record<(typeof HEADS)[number], (keys: Heard['keys'], at: number) => number> = {
  opens: (keys, at) => (keys.some(({ turns }) => turns[0] === at) ? 1 : 0),
  ends: (keys, at) => (keys.some(({ turns }) => turns.at(-1) === at) ? 1 : 0),
  matters: (keys, at) => Math.max(0, ...keys.map(({ turns, worth }) => (turns.includes(at) ? worth : 0))),
};

export function learn(days: Heard[]): Weights {
  return Object.fromEntries(HEADS.map(head => [head, learnHead(days, TARGETS[head])])) as Weights;
}

function learnHead(days: Heard[], target: (keys: Heard['keys'], at: number) => number): Weights['opens'] {
  const examples = days.flatMap(({ signals, keys }) =>
    signals.map((values, at) => ({ values: SIGNALS.map(name => values[name]), target: target(keys, at) })),
  );
  const { bias, weights } = fit(examples, L2);
  const entries = SIGNALS.map((name, at): [string, number] => [name, rounded(weights[at] ?? 0)]);
  return Object.fromEntries([['bias', rounded(bias)], ...entries]) as Weights['opens'];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
