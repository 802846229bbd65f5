import type { Weights } from '../../src/clients/summarizer/builtIn/excerpt/odds.ts';
import { readSignals, SIGNALS } from '../../src/clients/summarizer/builtIn/excerpt/signals.ts';
import { readAll } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import type { KeyedDay } from './days.ts';
import { regress } from './regress.ts';

/** A useful matter counts for this much of one that must be shown. */
const USEFUL = 0.4;
const L2 = 40;

type Target = (day: Heard, at: number) => number;

/** A day as the product hears it, with the turns of each key by index. */
export async function heard({ request, keys }: KeyedDay) {
  const { turns, tasks, conversation } = await readAll(request);
  const indexOf = new Map(turns.map(({ utterance }, index) => [utterance.messageId, index]));
  const keysByTurn = keys.map(({ messages, weight }) => ({
    worth: weight === 'essential' ? 1 : USEFUL,
    turns: messages.flatMap(id => indexOf.get(String(id)) ?? []).toSorted((one, other) => one - other),
  }));
  return { turns, signals: readSignals(turns, tasks, conversation), keys: keysByTurn };
}

export type Heard = Awaited<ReturnType<typeof heard>>;

export function learn(days: Heard[]): Weights {
  return { opens: learnHead(days, opens), matters: learnHead(days, matters) };
}

/** Letters, as a share of what a full message has, from which one without a question begins something of its own. */
const LONG = 0.75;
const NEAR = 3;

/** The first message of a key, and one right behind a key that goes on to something no one needs to see. */
function opens({ keys, signals }: Heard, at: number): number {
  if (keys.some(({ turns }) => turns[0] === at)) return 1;
  const { asks = 0, length = 0 } = signals[at] ?? {};
  if (keys.some(({ turns }) => turns.includes(at)) || (asks === 0 && length <= LONG)) return 0;
  const isNear = (turn: number) => turn < at && turn >= at - NEAR;
  const latest = Math.max(-1, ...keys.flatMap(({ turns }) => turns.filter(isNear)));
  return keys.some(({ turns }) => turns.includes(latest) && (turns.at(-1) ?? 0) < at) ? 1 : 0;
}

function matters({ keys }: Heard, at: number): number {
  return Math.max(0, ...keys.map(({ turns, worth }) => (turns.includes(at) ? worth : 0)));
}

function learnHead(days: Heard[], targetOf: Target): Weights['opens'] {
  const examples = days.flatMap(day =>
    day.signals.map((values, at) => ({ values: SIGNALS.map(name => values[name]), target: targetOf(day, at) })),
  );
  const { bias, weights } = regress(examples, L2);
  const entries = SIGNALS.map((name, at): [string, number] => [name, rounded(weights[at] ?? 0)]);
  return Object.fromEntries([['bias', rounded(bias)], ...entries]) as Weights['opens'];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
