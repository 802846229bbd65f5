import { ClientError } from '../errors.ts';
import { AI_FORMATS, type AiFormat, type Summarizer, type Summary, type SummaryRequest } from './types.ts';

const message = (id: number, fromUser: boolean, text: string) => ({
  ...{ id, fromUser, text, senderName: fromUser ? 'Alex' : 'Sam', forwarded: false },
  sentAt: new Date(Date.UTC(2026, 0, 5, 9, id)),
});

/** A short made-up conversation. */
export const SAMPLE: SummaryRequest = {
  ...{ peerName: 'Sam', userName: 'Alex', isGroup: false, style: 'BUSINESS', timezone: 'UTC' },
  messages: [
    message(1, false, 'Hi Alex, can you send me the price list by Friday?'),
    message(2, true, 'Sure, I will send the price list on Friday morning.'),
  ],
};

/**
 * Has a conversation summarized, asking for JSON in one way after the other until the server takes one: to check once that
 * a service works with what this product asks of it. Throws as {@link Summarizer} does.
 */
export async function trySummary(
  create: (format: AiFormat) => Summarizer,
  { request, signal }: { request: SummaryRequest; signal: AbortSignal },
): Promise<{ summary: Summary; format: AiFormat }> {
  const last = AI_FORMATS.at(-1);
  for (const format of AI_FORMATS) {
    const tried = await create(format)
      .summarize(request, { signal })
      .catch(error => {
        const isRefused = error instanceof ClientError && error.code === 'AI_REFUSED_REQUEST';
        if (!isRefused || format === last) throw error;
      });
    if (tried) return { summary: tried, format };
  }
  throw new Error('not reached: the last format throws');
}
