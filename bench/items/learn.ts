import { candidatesIn } from '../../src/clients/summarizer/builtIn/excerpt/items/candidates.ts';
import type { ItemHead, ItemWeights } from '../../src/clients/summarizer/builtIn/excerpt/items/odds.ts';
import { ITEM_SIGNALS, itemSignals } from '../../src/clients/summarizer/builtIn/excerpt/items/signals.ts';
import { readAll } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import { type Example, regress } from '../lines/regress.ts';
import type { LabelledDay } from './days.ts';

const L2 = 30;

/** A day that can be learned from. */
export type LearnedDay = Pick<LabelledDay, 'request'> & { labels: Pick<LabelledDay['labels'], 'actionItems'> };
type Known = Example & { head: ItemHead; weight: number };

/** A day's candidates with what is right for them. `weight`: how often a day like it counts. */
export async function examplesOf({ request, labels }: LearnedDay, weight: number): Promise<Known[]> {
  const { commitments, turns, conversation } = await readAll(request);
  const all = candidatesIn(commitments, turns, conversation);
  const speakerOf = new Map(request.messages.map(({ id, senderName }) => [id, senderName]));
  return all.map(one => {
    const id = Number(one.binding.sentence.utterance.messageId);
    const labelled = labels.actionItems.filter(({ messages }) => messages.includes(id));
    const isAnswered = (messages: number[]) =>
      messages.some(other => other > id && speakerOf.get(other) !== speakerOf.get(id));
    // A question that someone answered with a promise is no longer waiting for an answer.
    const right = labelled.filter(({ messages }) => !one.isQuestion || !isAnswered(messages));
    const signals = itemSignals(one, { turns, all, conversation });
    const values = ITEM_SIGNALS.map(name => signals[name]);
    const head: ItemHead = one.isQuestion ? 'waits' : 'binds';
    return { head, values, weight, target: right.length > 0 ? 1 : 0 };
  });
}

export function learnItems(known: Known[]): ItemWeights {
  const of = (head: ItemHead) =>
    learnHead(known.filter(one => one.head === head).flatMap(one => Array.from({ length: one.weight }, () => one)));
  return { waits: of('waits'), binds: of('binds') };
}

function learnHead(examples: Example[]): ItemWeights[ItemHead] {
  const { bias, weights } = regress(examples, L2);
  const entries = ITEM_SIGNALS.map((name, at): [string, number] => [name, rounded(weights[at] ?? 0)]);
  return Object.fromEntries([['bias', rounded(bias)], ...entries]) as ItemWeights[ItemHead];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
