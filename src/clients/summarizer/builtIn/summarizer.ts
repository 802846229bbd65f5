import { Temporal } from 'temporal-polyfill';
import { ClientError } from '../../errors.ts';
import { withoutMarkup } from '../cleaning.ts';
import { findLinks } from '../links.ts';
import type { ActionItem, Summarizer, Urgency } from '../types.ts';
import { withQuotes } from '../withQuotes.ts';
import { findClosings } from './closings.ts';
import { chooseExcerpt, scoreDayNews, scoreKeptLines } from './excerpt.ts';
import { findItems } from './items.ts';
import { readRequest } from './readRequest.ts';
import { NO_KEY_LINES, renderedLines } from './render.ts';
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
      const sentences = renderedLines(exchanges);
      const keptLines = await scoreKeptLines(read);
      const waits = findWaits(read, request.messages);
      const closings = request.openPromises && withQuotes(await findClosings(read, request), request.messages);
      const actionItems = findItems(read);
      const today = request.today ?? read.days.at(-1)?.day ?? '1970-01-01';
      return {
        summary: sentences.map(({ text }) => text).join('\n') || NO_KEY_LINES,
        sentences,
        structured: {
          topics: findTopics(read, exchanges),
          actionItems,
          // The trained model recognizes sentiment and high urgency too rarely to show them.
          sentiment: 'neutral',
          urgency: judgeUrgency(actionItems, { today, isAsked: waits.questions.length > 0 }),
          meetings: [],
          introductions: [],
          dealSignals: [],
          links: findLinks(read.days.flatMap(({ said }) => said.map(({ message }) => withoutMarkup(message.text)))),
          language: read.language,
          exchanges,
          keptLines,
          news: scoreDayNews(read),
        },
        waits,
        ...(closings && { closings }),
        engine: 'built-in',
      };
    },
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
