import type { MessengerMessage } from '../messenger/types.ts';
import type { Summary } from './types.ts';

/** Characters of a conversation, and of one of its messages, that are read of a day that takes too long otherwise. */
const MOST_TEXT = 6_000;
const LONGEST_TEXT = 1_000;

const SAID = 'This was too much to read in full: only its newest parts were.';

/** Keeps the beginnings of the newest messages of a day that is too long. An ordinary day stays as it is. */
export function truncateDay<T extends { messages: MessengerMessage[] }>(request: T): T {
  let left = MOST_TEXT;
  const newestFirst = request.messages.toReversed().map(message => {
    const text = message.text.slice(0, Math.min(left, LONGEST_TEXT));
    left -= text.length;
    return text === message.text ? message : { ...message, text: text.toWellFormed() };
  });
  const messages = newestFirst.toReversed();
  return messages.every((message, at) => message === request.messages[at]) ? request : { ...request, messages };
}

/** Says in the digest that its day was truncated. */
export function sayTruncated(summary: Summary): Summary {
  const { sentences = [] } = summary;
  return {
    ...summary,
    summary: `${summary.summary} ${SAID}`.trim(),
    sentences: [...sentences, { text: SAID, sourceMessageIds: [] }],
  };
}
