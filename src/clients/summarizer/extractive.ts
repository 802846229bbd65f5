import { localDay } from '../../lib/timezones.ts';
import { ClientError } from '../errors.ts';
import { findActionItems } from './actionItems.ts';
import { type Conversation, readConversation } from './conversation.ts';
import { findDealSignals } from './dealSignals.ts';
import { findIntroductions, findMeetings } from './meetings.ts';
import { findSentiment, findUrgency } from './tone.ts';
import { findTopics } from './topics.ts';
import type { StructuredDigest, Summarizer } from './types.ts';
import { writeSummary } from './wording.ts';

/**
 * The summariser that needs nobody: it chooses from what was said and says who said it. Works offline, gives the same
 * answer for the same request, and takes a few milliseconds for an ordinary day.
 */
export function createExtractiveSummarizer(): Summarizer {
  return {
    isInstant: true,
    async summarize(request, { signal } = {}) {
      if (signal?.aborted) throw new ClientError({ service: 'summarizer', kind: 'temporary', code: 'TIMEOUT' });
      const conversation = readConversation(request);
      const structured = structure(conversation);
      return { summary: writeSummary(conversation, structured.topics, request.style), structured, engine: 'built-in' };
    },
  };
}

function structure(conversation: Conversation): StructuredDigest {
  const actionItems = findActionItems(conversation);
  const lastDay = conversation.utterances.at(-1)?.sentAt ?? new Date(0);
  return {
    topics: findTopics(conversation),
    actionItems,
    sentiment: findSentiment(conversation),
    urgency: findUrgency(conversation, actionItems, localDay(lastDay, conversation.timezone)),
    meetings: findMeetings(conversation),
    introductions: findIntroductions(conversation),
    dealSignals: findDealSignals(conversation),
    links: conversation.links,
    language: conversation.language,
  };
}
