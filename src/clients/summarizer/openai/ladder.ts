import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionCreateParams } from 'openai/resources';
import type { Clock } from '../../../lib/clock.ts';
import { createMemory } from './memory.ts';
import { askedReply } from './replySchema.ts';

export type ResponseFormat = ChatCompletionCreateParams['response_format'];

/** The ways to ask a server for JSON, the most reliable first. The prompt describes the fields in any case. */
const RUNGS: ResponseFormat[] = [zodResponseFormat(askedReply, 'digest'), { type: 'json_object' }, undefined];
const LAST = RUNGS.length - 1;

export type Ladder = {
  /**
   * Calls with the highest rung the server may accept, then with lower ones as long as `isRefused` says so.
   * @param probe makes the same call without a word of any conversation
   */
  descend<T>(call: Call<T>, probe: Call<unknown>, isRefused: (error: unknown) => boolean): Promise<T>;
};
type Call<T> = (format: ResponseFormat) => Promise<T>;

/** How long a rung is known to be refused, or not to be: servers are replaced by newer ones. */
const KNOWN_MS = 3_600_000;

/**
 * Remembers how far down it had to go for a server. A rung counts as refused only if it is refused without anyone's
 * words, too: a message that a server's way of JSON stumbles over lowers it for its own request only.
 */
export function createLadder(clock: Clock): Ladder {
  const refused = createMemory<boolean>({ clock, most: RUNGS.length, ms: KNOWN_MS });

  async function learn(rung: number, probe: Call<unknown>, isRefused: (error: unknown) => boolean): Promise<void> {
    if (refused.get(String(rung)) !== undefined) return;
    // Before the answer, so that requests side by side don't all ask.
    refused.set(String(rung), false);
    const error = await probe(RUNGS[rung]).then(
      () => undefined,
      thrown => thrown,
    );
    if (error !== undefined && isRefused(error)) refused.set(String(rung), true);
  }

  return {
    async descend(call, probe, isRefused) {
      const rungs = RUNGS.keys().filter(rung => refused.get(String(rung)) !== true);
      const missed: number[] = [];
      for (;;) {
        const rung = rungs.next().value ?? LAST;
        try {
          const answer = await call(RUNGS[rung]);
          for (const higher of missed) await learn(higher, probe, isRefused);
          return answer;
        } catch (error) {
          if (rung === LAST || !isRefused(error)) throw error;
          missed.push(rung);
        }
      }
    },
  };
}
