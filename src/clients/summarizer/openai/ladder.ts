import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionCreateParams } from 'openai/resources';
import { askedReply } from './replySchema.ts';

type ResponseFormat = ChatCompletionCreateParams['response_format'];

/** The ways to ask a server for JSON, the most reliable first. The prompt describes the fields in any case. */
const RUNGS: ResponseFormat[] = [zodResponseFormat(askedReply, 'digest'), { type: 'json_object' }, undefined];

export type Ladder = {
  /** Calls with the highest rung the server may accept, then with lower ones as long as `isRefused` says so. */
  descend<T>(call: (format: ResponseFormat) => Promise<T>, isRefused: (error: unknown) => boolean): Promise<T>;
};

/** Remembers how far down it had to go for a server. A rung counts only once it has brought an answer. */
export function createLadder(): Ladder {
  let known = 0;
  return {
    async descend(call, isRefused) {
      for (let rung = known; ; rung = Math.max(rung + 1, known)) {
        try {
          const answer = await call(RUNGS[rung]);
          known = Math.max(known, rung);
          return answer;
        } catch (error) {
          if (rung >= RUNGS.length - 1 || !isRefused(error)) throw error;
        }
      }
    },
  };
}
