import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Summarizer } from '../../clients/summarizer/types.ts';

/** Of the whole process: what is summarized here holds up everything else, heartbeats included. */
const oneAtATime = pLimit(1);

/** Conversations are summarized one after the other, and between two of them everything else gets its turn. */
export function inTurns(summarizer: Summarizer): Summarizer {
  return {
    ...summarizer,
    summarize: (...asked) =>
      oneAtATime(async () => {
        await setImmediate();
        return summarizer.summarize(...asked);
      }),
  };
}
