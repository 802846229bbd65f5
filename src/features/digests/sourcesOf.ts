import type { MessengerMessage } from '../../clients/messenger/types.ts';
import type { Summary } from '../../clients/summarizer/types.ts';
import type { DigestSources } from './schema.ts';

const MOST_SENTENCES = 40;
const MOST_SOURCES = 10;
const LONGEST_NAME = 100;

type Written = Pick<Summary, 'summary' | 'sentences' | 'structured'>;

/**
 * What is kept of the messages that a digest rests on: ids, senders and times, never their text. A sentence that rests
 * on none of these messages, or isn't in the summary, has no source.
 * @param messages the ones that were summarized, oldest first
 */
export function sourcesOf(
  { summary, sentences = [], structured }: Written,
  messages: MessengerMessage[],
): DigestSources {
  const sent = new Set(messages.map(({ id }) => String(id)));
  const known = (ids: string[]) => [...new Set(ids)].filter(id => sent.has(id)).slice(0, MOST_SOURCES);
  const found: DigestSources['sentences'] = [];
  let end = 0;
  for (const { text, sourceMessageIds } of sentences.slice(0, MOST_SENTENCES)) {
    const from = summary.indexOf(text, end);
    if (from < 0 || text === '') continue;
    end = from + text.length;
    const messageIds = known(sourceMessageIds);
    if (messageIds.length > 0) found.push({ from, to: end, messageIds });
  }
  const ofItems = structured.actionItems.flatMap(item => known(item.sourceMessageIds));
  const ofLines = (structured.keptLines ?? []).map(({ messageId }) => messageId);
  const wanted = new Set([...found.flatMap(({ messageIds }) => messageIds), ...ofItems, ...ofLines]);
  return { sentences: found, messages: messages.filter(({ id }) => wanted.has(String(id))).map(toSource) };
}

function toSource({ id, senderName, senderId, fromUser, sentAt }: MessengerMessage): DigestSources['messages'][number] {
  // Postgres stores neither NUL nor half of a surrogate pair.
  const sender = senderName.replaceAll('\0', '').slice(0, LONGEST_NAME).toWellFormed();
  return { id: String(id), sender, ...(senderId && { senderId }), fromUser, sentAt: sentAt.toISOString() };
}
