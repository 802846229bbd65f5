import { ClientError } from '../errors.ts';
import type { Summarizer, SummaryRequest } from './types.ts';

const message = (id: number, fromUser: boolean, text: string) => ({
  ...{ id, fromUser, text, senderName: fromUser ? 'Alex' : 'Sam', forwarded: false },
  sentAt: new Date(Date.UTC(2026, 0, 5, 9, id)),
});

/** A short made-up conversation. */
const SAMPLE: SummaryRequest = {
  ...{ peerName: 'Sam', userName: 'Alex', isGroup: false, style: 'BUSINESS', timezone: 'UTC' },
  messages: [
    message(1, false, 'Hi Alex, can you send me the price list by Friday?'),
    message(2, true, 'Sure, I will send the price list on Friday morning.'),
  ],
};

/**
 * Has a sample summarized, to check that a service works with what this product asks of it. Throws as
 * {@link Summarizer} does, and ClientError `AI_CONTEXT_TOO_SMALL` where the model has no room for it.
 */
export async function trySummary(summarizer: Summarizer): Promise<void> {
  const { engine } = await summarizer.summarize(SAMPLE);
  if (engine !== 'built-in') return;
  throw new ClientError({ service: 'summarizer', kind: 'permanent', code: 'AI_CONTEXT_TOO_SMALL' });
}
