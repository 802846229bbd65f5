import { ClientError } from '../errors.ts';
import { DEMO_CONVERSATION } from './demoConversation.ts';
import type { Summarizer, Summary, SummaryRequest } from './types.ts';

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
  onlyOfModel(await summarizer.summarize(SAMPLE));
}

/** The same with a conversation of the demo, to show what comes of it. */
export async function tryDemo(summarizer: Summarizer, signal: AbortSignal): Promise<Summary> {
  return onlyOfModel(await summarizer.summarize(DEMO_CONVERSATION, { signal }));
}

function onlyOfModel(summary: Summary): Summary {
  if (summary.engine !== 'built-in') return summary;
  throw new ClientError({ service: 'summarizer', kind: 'permanent', code: 'AI_CONTEXT_TOO_SMALL' });
}
