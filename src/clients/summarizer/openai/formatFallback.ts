import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionCreateParams } from 'openai/resources';
import type { Clock } from '../../../lib/clock.ts';
import { createExpiringMap } from './expiringMap.ts';
import { askedReply } from './replySchema.ts';

export type ResponseFormat = ChatCompletionCreateParams['response_format'];

/** The ways to ask a server for JSON, the most reliable first. The prompt describes the fields in any case. */
const FORMATS: ResponseFormat[] = [zodResponseFormat(askedReply, 'digest'), { type: 'json_object' }, undefined];
const LAST = FORMATS.length - 1;

export type FormatFallback = {
  /**
   * Calls with the most reliable format that the server may accept, then with the next ones as long as `isRefused` says so.
   * @param probe makes the same call without a word of any conversation
   */
  callInTurn<T>(call: Call<T>, probe: Call<unknown>, isRefused: (error: unknown) => boolean): Promise<T>;
};
type Call<T> = (format: ResponseFormat) => Promise<T>;

/** How long a format is known to be refused, or not to be: servers are replaced by newer ones. */
const KNOWN_MS = 3_600_000;

/**
 * Remembers which formats a server refuses. A format counts as refused only if it is refused without anyone's
 * words, too: a message that a server's way of JSON stumbles over changes the format of its own request only.
 */
export function createFormatFallback(clock: Clock): FormatFallback {
  const refused = createExpiringMap<boolean>({ clock, most: FORMATS.length, ms: KNOWN_MS });

  async function learn(index: number, probe: Call<unknown>, isRefused: (error: unknown) => boolean): Promise<void> {
    if (refused.get(String(index)) !== undefined) return;
    // Before the answer, so that requests side by side don't all ask.
    refused.set(String(index), false);
    const error = await probe(FORMATS[index]).then(
      () => undefined,
      thrown => thrown,
    );
    if (error !== undefined && isRefused(error)) refused.set(String(index), true);
  }

  return {
    async callInTurn(call, probe, isRefused) {
      const formats = FORMATS.keys().filter(index => refused.get(String(index)) !== true);
      const missed: number[] = [];
      for (;;) {
        const index = formats.next().value ?? LAST;
        try {
          const answer = await call(FORMATS[index]);
          for (const earlier of missed) await learn(earlier, probe, isRefused);
          return answer;
        } catch (error) {
          if (index === LAST || !isRefused(error)) throw error;
          missed.push(index);
        }
      }
    },
  };
}
