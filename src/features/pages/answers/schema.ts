import { z } from 'zod';
import type { AnswerSentence } from '../../../clients/summarizer/answering/types.ts';
import { rowReader } from '../../../lib/rows.ts';

/** In the address of the API: someone waits for it, so the model is asked only on demand. */
export const writesInput = z.enum(['true', 'false'], 'Say true or false.').optional().meta({
  description:
    'Whether the model is asked for sentences that it has not written yet: then the answer may take half a minute',
});

/** As the API gives them; `sources` are numbers of what the same answer lists. */
export const sentencesJson = (sources: string) =>
  z
    .array(z.strictObject({ text: z.string(), sources: z.array(z.int()).min(1).meta({ description: sources }) }))
    .max(3)
    .meta({
      description: 'Worded by a model from the above; none without one, without consent, or where nothing holds',
    });

const sentences = z.array(z.object({ text: z.string(), passages: z.array(z.number()) }));
const kept = z.object({ sent: z.array(z.number()), sentences });
export const writtenRow = rowReader(kept);
export type Kept = z.output<typeof kept>;

/** What a model says over the passages that a page shows, as far as it may read them. */
export type Written = {
  /**
   * `off`: no model here, or nothing to say. `notAgreed`: no conversation of the passages has a consent that covers it.
   * `open`: it can be asked. `written`: it was; without sentences where the passages don't answer.
   */
  state: 'off' | 'notAgreed' | 'open' | 'written';
  sentences: AnswerSentence[];
  /** How many passages it may not read. */
  withheld: number;
  model: string;
  host: string;
  /** Why it could not be asked just now. */
  failure?: 'unanswered' | 'tooMany';
};
