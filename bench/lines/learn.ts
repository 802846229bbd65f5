import type { Weights } from '../../src/clients/summarizer/builtIn/excerpt/odds.ts';
import { readSignals, SIGNALS } from '../../src/clients/summarizer/builtIn/excerpt/signals.ts';
import { readAll } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import type { KeyedDay } from './days.ts';
import { regress } from './regress.ts';

/** A useful matter counts for this much of one that must be shown. */
const USEFUL = 0.4;
const L2 = 40;

/** A day as the product hears it, with the turns of each key by index. */
export async function heard({ request, keys }: KeyedDay) {
  const { turns, commitments, conversation } = await readAll(request);
  const indexOf = new Map(turns.map(({ utterance }, index) => [utterance.messageId, index]));
  const keysByTurn = keys.map(({ messages, weight }) => ({
    worth: weight === 'essential' ? 1 : USEFUL,
    turns: messages.flatMap(id => indexOf.get(String(id)) ?? []).toSorted((one, other) => one - other),
  }));
  return { turns, signals: readSignals(turns, commitments, conversation), keys: keysByTurn };
}

export type Heard = Awaited<ReturnType<typeof heard>>;

export function learn(days: Heard[]): Weights {
  const examples = days.flatMap(day =>
    day.signals.map((values, at) => ({ values: SIGNALS.map(name => values[name]), target: wouldBeMissed(day, at) })),
  );
  const { bias, weights } = regress(examples, L2);
  const entries = SIGNALS.map((name, at): [string, number] => [name, rounded(weights[at] ?? 0)]);
  return Object.fromEntries([['bias', rounded(bias)], ...entries]) as Weights;
}

function wouldBeMissed({ keys }: Heard, at: number): number {
  return Math.max(0, ...keys.map(({ turns, worth }) => (turns.includes(at) ? worth : 0)));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
