import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Summarizer } from '../../clients/summarizer/types.ts';

/** Shared by the whole process: summarizing here holds up everything else, heartbeats included. */
const oneAtATime = pLimit(1);

/** Summarizes conversations one after the other, and lets everything else run between two of them. */
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
