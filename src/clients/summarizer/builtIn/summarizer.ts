import { Temporal } from 'temporal-polyfill';
import { ClientError } from '../../errors.ts';
import { withoutMarkup } from '../cleaning.ts';
import { findLinks } from '../links.ts';
import type {
  ActionItem,
  Exchange,
  PendingQuestions,
  StructuredDigest,
  Summarizer,
  SummaryRequest,
  Urgency,
} from '../types.ts';
import { withQuotes } from '../withQuotes.ts';
import { findClosings } from './closings.ts';
import { chooseExcerpt, scoreDayNews, selectKeptLines } from './excerpt.ts';
import { findItems } from './items.ts';
import { readRequest, type ScoredRequest } from './readRequest.ts';
import { renderExcerpt, renderedLines } from './render.ts';
import { findTopics } from './topics.ts';
import { findWaits } from './waiting.ts';

/**
 * Summarizer without an AI service. Scores learned from labelled chats (`training/`) decide about relevance, commitments,
 * waiting and closings; it quotes people and composes no sentences. Works offline, is deterministic, and takes a millisecond
 * or two.
 */
export function createBuiltInSummarizer(): Summarizer {
  return {
    isInstant: true,
    async summarize(request, { signal } = {}) {
      if (signal?.aborted) throw new ClientError({ service: 'summarizer', kind: 'temporary', code: 'TIMEOUT' });
      const read = await readRequest(request);
      const exchanges = chooseExcerpt(read, request.style);
      const kept = await selectKeptLines(read);
      const waits = findWaits(read, request.messages);
      const closings = request.openPromises && withQuotes(findClosings(read, request), request.messages);
      return {
        summary: renderExcerpt(exchanges),
        sentences: renderedLines(exchanges),
        structured: buildStructuredDigest(read, request, { exchanges, waits, kept }),
        waits,
        ...(closings && { closings }),
        engine: 'built-in',
      };
    },
    async readClosings(request) {
      if (!request.openPromises?.length) return [];
      return withQuotes(findClosings(await readRequest(request), request), request.messages);
    },
    async findPendingQuestions(request) {
      return findWaits(await readRequest(request), request.messages);
    },
    async readNews(request) {
      return scoreDayNews(await readRequest(request));
    },
  };
}

type DigestParts = { exchanges: Exchange[]; waits: PendingQuestions; kept: NonNullable<StructuredDigest['keptLines']> };

function buildStructuredDigest(
  read: ScoredRequest,
  request: SummaryRequest,
  { exchanges, waits, kept }: DigestParts,
): StructuredDigest {
  const items = findItems(read);
  const newest = read.days.at(-1);
  const today = request.today ?? newest?.day ?? '1970-01-01';
  return {
    topics: findTopics(read, exchanges),
    actionItems: items,
    // The trained model recognizes sentiment and high urgency too rarely to show them.
    sentiment: 'neutral',
    urgency: judgeUrgency(items, { today, isAsked: waits.questions.length > 0 }),
    meetings: [],
    introductions: [],
    dealSignals: [],
    links: findLinks(read.days.flatMap(({ said }) => said.map(({ message }) => withoutMarkup(message.text)))),
    language: read.language,
    exchanges,
    keptLines: kept,
    news: scoreDayNews(read),
  };
}

const FRIDAY = 5;

/** `medium` when something of the user's is due within two days or on the next working day, else `low` for anything open. */
function judgeUrgency(items: ActionItem[], { today, isAsked }: { today: string; isAsked: boolean }): Urgency {
  const day = Temporal.PlainDate.from(today);
  const soon = day.add({ days: day.dayOfWeek === FRIDAY ? 3 : 2 }).toString();
  if (items.some(({ owner, dueDate }) => owner === 'user' && dueDate !== null && dueDate <= soon)) return 'medium';
  return items.length > 0 || isAsked ? 'low' : 'none';
}
