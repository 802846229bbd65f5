import type { ItemWeights } from '../../src/clients/summarizer/builtIn/excerpt/items/odds.ts';
import { quoteItems } from '../../src/clients/summarizer/builtIn/excerpt/quoteItems.ts';
import { createBuiltInSummarizer, readAll } from '../../src/clients/summarizer/builtIn/summarizer.ts';
import { regress } from '../lines/regress.ts';
import type { LabelledDay } from './days.ts';
import { FOLDS, foldOf } from './sets.ts';
import { URGENT_SIGNALS, urgentSignals } from './urgentSignals.ts';

const L2 = 5;
/** Log odds from which a day would be called urgent, or tense. */
const SURE = 0;

export type Alarm = 'urgent' | 'tense';
const isRight: Record<Alarm, (day: LabelledDay) => boolean> = {
  urgent: ({ labels }) => labels.urgency === 'high',
  tense: ({ labels }) => labels.sentiment === 'negative',
};

/** The days of each set that a trained score calls urgent or tense, each learned from the other folds of all sets. */
export async function alarmsApart(
  sets: LabelledDay[][],
  weights: ItemWeights[],
  alarm: Alarm,
): Promise<LabelledDay[][]> {
  const summarizer = createBuiltInSummarizer();
  const shown: LabelledDay[][] = sets.map(() => []);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const rows = [];
    for (const [set, days] of sets.entries())
      for (const [index, day] of days.entries()) {
        const { structured } = await summarizer.summarize(day.request);
        const read = await readAll(day.request);
        const open = quoteItems({ ...read, messages: day.request.messages }, weights[fold]);
        const signals = urgentSignals(read.turns, open, { ...structured, isGroup: day.request.isGroup });
        rows.push({ set, day, isApart: foldOf(index) === fold, values: URGENT_SIGNALS.map(name => signals[name]) });
      }
    const learned = rows
      .filter(({ isApart }) => !isApart)
      .map(({ day, values }) => ({ values, target: isRight[alarm](day) ? 1 : 0 }));
    const { bias, weights: of } = regress(learned, L2);
    const oddsOf = (values: number[]) => values.reduce((sum, value, at) => sum + value * (of[at] ?? 0), bias);
    for (const { set, day, isApart, values } of rows) if (isApart && oddsOf(values) > SURE) shown[set]?.push(day);
  }
  return shown;
}
