import { setImmediate } from 'node:timers/promises';
import { ClientError } from '../../errors.ts';
import type { MessengerMessage } from '../../messenger/types.ts';
import { answeredIn } from '../answeredQuestions.ts';
import { type Conversation, readConversation } from '../conversation.ts';
import { findDealSignals } from '../dealSignals.ts';
import { findIntroductions, findMeetings } from '../meetings.ts';
import { tellQuestions } from '../tellQuestions.ts';
import type { Exchange, StructuredDigest, Summarizer, SummaryRequest, Waits } from '../types.ts';
import { withQuotes } from '../withQuotes.ts';
import { findClosings, readClosings } from './closings.ts';
import type { Commitment } from './commitments.ts';
import { chooseExcerpt } from './excerpt/chooseExcerpt.ts';
import { LineWriter } from './excerpt/lines.ts';
import { quoteItems } from './excerpt/quoteItems.ts';
import { renderExcerpt, renderedLines } from './excerpt/renderExcerpt.ts';
import { findUrgency } from './excerpt/urgency.ts';
import { findCommitments } from './findCommitments.ts';
import { readTurns, type Turn } from './reading.ts';
import { findTopics } from './topics.ts';
import { findAsked } from './waiting.ts';

/** Per conversation. Whoever asked more than this has been waiting since the first of the questions kept. */
const MOST_QUESTIONS = 20;

/**
 * The summarizer that needs no AI service: it reads who asks, promises, accepts and refuses what, and shows what came of
 * it and what is left in people's own words. It composes no sentence. Works offline, gives the same answer for the same
 * request, and takes a few milliseconds for an ordinary day. A longer day is read in steps, with a turn of the event
 * loop for everything else between them.
 */
export function createBuiltInSummarizer(): Summarizer {
  return {
    isInstant: true,
    async summarize(request, { signal } = {}) {
      if (signal?.aborted) throw new ClientError({ service: 'summarizer', kind: 'temporary', code: 'TIMEOUT' });
      const read = await readAll(request);
      const { conversation, turns } = read;
      await setImmediate();
      const exchanges = await chooseExcerpt({ ...read, style: request.style });
      await setImmediate();
      const waits = waitsOf(read, request.messages);
      await setImmediate();
      const structured = structure(read, { exchanges, waits, today: request.today });
      const found = request.openPromises && (await findClosings(request, conversation, turns));
      const closings = found && withQuotes(found, request.messages);
      const written = { summary: renderExcerpt(exchanges), sentences: renderedLines(exchanges) };
      return { ...written, structured, waits, ...(closings && { closings }), engine: 'built-in' };
    },
    async readClosings(request) {
      return withQuotes(await readClosings(request), request.messages);
    },
    async readWaits(request) {
      return waitsOf(await readAll(request), request.messages);
    },
  };
}

/** A request with all that the rules found in it. */
export type Read = { conversation: Conversation; turns: Turn[]; commitments: Commitment[]; writer: LineWriter };

export async function readAll(request: Omit<SummaryRequest, 'style'>): Promise<Read> {
  const conversation = await readConversation(request);
  const turns = await readTurns(conversation);
  await setImmediate();
  const writer = new LineWriter(turns, request.messages, conversation.timezone);
  return { conversation, turns, commitments: findCommitments(turns, conversation), writer };
}

function waitsOf({ commitments, turns }: Read, messages: MessengerMessage[]): Waits {
  const { settledBy, questions } = findAsked(commitments, turns);
  const asked = [...new Set(questions.map(({ sentence }) => sentence.utterance.messageId))].slice(0, MOST_QUESTIONS);
  return {
    settledBy: settledBy?.utterance.messageId ?? null,
    questions: tellQuestions(asked, [], messages),
    answered: answeredIn(messages),
  };
}

type Shown = { exchanges: Exchange[]; waits: Waits; today: string | undefined };

function structure(read: Read, { exchanges, waits, ...shown }: Shown): StructuredDigest {
  const { conversation, turns, commitments } = read;
  const open = quoteItems(read);
  const today = shown.today ?? turns.at(-1)?.utterance.day ?? '1970-01-01';
  return {
    topics: findTopics(turns, commitments, conversation.names.words),
    actionItems: open.map(({ item }) => item),
    // How people felt is not told by the words they use often enough to be shown.
    sentiment: 'neutral',
    urgency: findUrgency(open, { today, isAsked: waits.questions.length > 0 }),
    meetings: findMeetings(conversation),
    introductions: findIntroductions(conversation),
    dealSignals: findDealSignals(conversation),
    links: conversation.links,
    language: conversation.language,
    exchanges,
  };
}
