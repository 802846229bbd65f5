import { setImmediate } from 'node:timers/promises';
import { ClientError } from '../../errors.ts';
import type { MessengerMessage } from '../../messenger/types.ts';
import { answeredIn } from '../answered.ts';
import { type Conversation, readConversation } from '../conversation.ts';
import { findDealSignals } from '../dealSignals.ts';
import { findIntroductions, findMeetings } from '../meetings.ts';
import { tellQuestions } from '../tellQuestions.ts';
import type { StructuredDigest, Summarizer, SummaryRequest, SummarySentence, Waits } from '../types.ts';
import { withQuotes } from '../withQuotes.ts';
import { withRequests } from '../withRequests.ts';
import { readAgenda } from './agenda.ts';
import { findClosings, readClosings } from './closings.ts';
import { loadTagger } from './english/tagger.ts';
import { findItems, type OpenTask } from './items.ts';
import { readTurns, type Turn } from './reading.ts';
import { findSentiment } from './sentiment.ts';
import type { Task } from './tasks.ts';
import { findTopics } from './topics.ts';
import { findUrgency } from './urgency.ts';
import { findAsked } from './waiting.ts';
import { writeSummary } from './wording.ts';

/** Per conversation. Whoever asked more than this has been waiting since the first of the questions kept. */
const MOST_QUESTIONS = 20;
const STYLE_OF_WAITS = 'BUSINESS';

/**
 * The summarizer that needs no AI service: it reads who asks, promises, accepts and refuses what, and tells what came
 * of it and what is left. Works offline, gives the same answer for the same request, and takes a few milliseconds for
 * an ordinary day. A longer day is read in steps, with a turn of the event loop for everything else between them.
 */
export function createBuiltInSummarizer(): Summarizer {
  return {
    isInstant: true,
    async summarize(request, { signal } = {}) {
      if (signal?.aborted) throw new ClientError({ service: 'summarizer', kind: 'temporary', code: 'TIMEOUT' });
      const read = await readAll(request);
      const { conversation, turns } = read;
      await setImmediate();
      const sentences = writeSummary(read, conversation, request.style);
      await setImmediate();
      const structured = structure(read, request.messages);
      const found = request.openPromises && (await findClosings(request, conversation, turns));
      const closings = found && withQuotes(found, request.messages);
      const summary = sentences.map(({ text }) => text).join(' ');
      const waits = waitsOf(read, sentences, request.messages);
      return { summary, sentences, structured, waits, ...(closings && { closings }), engine: 'built-in' };
    },
    async readClosings(request) {
      return withQuotes(await readClosings(request), request.messages);
    },
    async readWaits(request) {
      const read = await readAll({ ...request, style: STYLE_OF_WAITS });
      return waitsOf(read, writeSummary(read, read.conversation, STYLE_OF_WAITS), request.messages);
    },
  };
}

/** A request with all that the rules found in it. */
export type Read = { conversation: Conversation; turns: Turn[]; tasks: Task[]; open: OpenTask[] };

export async function readAll(request: SummaryRequest): Promise<Read> {
  const conversation = await readConversation(request);
  if ([conversation, ...conversation.utterances].some(({ pack }) => pack.code === 'en')) await loadTagger();
  const turns = await readTurns(conversation);
  const tasks = readAgenda(turns, conversation);
  return { conversation, turns, tasks, open: findItems(tasks, turns, conversation) };
}

function waitsOf({ tasks, turns }: Read, sentences: SummarySentence[], messages: MessengerMessage[]): Waits {
  const { settledBy, questions } = findAsked(tasks, turns);
  const asked = [...new Set(questions.map(({ sentence }) => sentence.utterance.messageId))].slice(0, MOST_QUESTIONS);
  return {
    settledBy: settledBy?.utterance.messageId ?? null,
    questions: tellQuestions(asked, sentences, messages),
    answered: answeredIn(messages),
  };
}

function structure({ conversation, turns, tasks, open }: Read, messages: MessengerMessage[]): StructuredDigest {
  const { urgency, reason } = findUrgency(open, turns, conversation);
  return {
    topics: findTopics(turns, tasks, conversation.names.words),
    actionItems: withRequests(
      open.map(({ item }) => item),
      messages,
    ),
    sentiment: findSentiment(turns),
    urgency,
    ...(reason !== null && { urgencyReason: reason }),
    meetings: findMeetings(conversation),
    introductions: findIntroductions(conversation),
    dealSignals: findDealSignals(conversation),
    links: conversation.links,
    language: conversation.language,
  };
}
