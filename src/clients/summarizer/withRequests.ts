import type { MessengerMessage } from '../messenger/types.ts';
import { cleanText, stemsIn, withoutHiddenCharacters } from './cleaning.ts';
import { looksLikePromptInjection } from './promptInjection.ts';
import { QUESTION_MARK, splitSentences } from './sentences.ts';
import type { ActionItem } from './types.ts';
import { MAX_READ_LENGTH, shortenQuote } from './withQuotes.ts';

/** For this many messages before a short promise, the other side's words are what it answers. */
const MAX_MESSAGES_BACK = 3;
/** Maximum number of characters of a short promise: "Will do", "das mache ich bis Freitag" */
const SHORT_PROMISE_LENGTH = 40;
const MAX_NAME_LENGTH = 100;

/** Adds to each item what it answers, where it answers something: "will do" says nothing without the request. */
export function withRequests(items: ActionItem[], messages: readonly MessengerMessage[]): ActionItem[] {
  const at = new Map(messages.map(({ id }, index) => [String(id), index]));
  return items.map(item => {
    const sources = item.sourceMessageIds
      .flatMap(id => at.get(id) ?? [])
      .sort((a, b) => a - b)
      .flatMap(index => messages[index] ?? []);
    const request = findRequest(item, sources, index => messages[index], at);
    const quote = request ? shortenQuote(request.text) : '';
    if (!request || quote === '') return item;
    // A quote that ends before the day begins with the sentence that names it.
    const isNamedIn = (text: string) => text.includes(item.dueText ?? '');
    const named = isNamedIn(quote) ? '' : splitSentences(request.text.slice(0, MAX_READ_LENGTH), 'und').find(isNamedIn);
    const words = (named && shortenQuote(`… ${named}`)) || quote;
    const { id, senderName, senderId, fromUser } = request;
    const who = cleanText(senderName)
      .slice(0, MAX_NAME_LENGTH)
      .replaceAll(/\p{Surrogate}/gu, '');
    return { ...item, request: { words, messageId: String(id), who, ...(senderId && { senderId }), fromUser } };
  });
}

/**
 * The request that an item answers: of its source messages by the other side, before the words that bind, the most
 * similar one, preferably one that asks. Without any, the message before those words, unless they ask something themselves.
 */
function findRequest(
  { owner, text }: ActionItem,
  sources: MessengerMessage[],
  messageAt: (index: number) => MessengerMessage | undefined,
  at: ReadonlyMap<string, number>,
): MessengerMessage | undefined {
  if (owner === 'unknown') return undefined;
  const isOwners = ({ fromUser }: MessengerMessage) => fromUser === (owner === 'user');
  const binding = sources.findLast(isOwners);
  const writerOf = ({ fromUser, senderId, senderName }: MessengerMessage) => (fromUser ? null : (senderId ?? senderName));
  const isOthers = (message: MessengerMessage) => (binding ? writerOf(message) !== writerOf(binding) : !isOwners(message));
  const mayAsk = (message: MessengerMessage) =>
    isOthers(message) && !message.forwarded && !looksLikePromptInjection(withoutHiddenCharacters(message.text));
  const earlier = sources.filter(source => (!binding || source.id < binding.id) && mayAsk(source));
  const asking = earlier.filter(message => QUESTION_MARK.test(message.text));
  const request = findMostAlike(text, asking.length > 0 ? asking : earlier);
  if (request || !binding || binding.text.length > SHORT_PROMISE_LENGTH || QUESTION_MARK.test(binding.text)) return request;
  const index = at.get(String(binding.id)) ?? 0;
  const before = Array.from({ length: MAX_MESSAGES_BACK }, (_, step) => messageAt(index - 1 - step));
  const near = before.filter(message => message !== undefined).filter(mayAsk);
  // In a group, others may have written in between.
  return near.find(({ id }) => id === binding.replyTo) ?? near.find(({ text }) => QUESTION_MARK.test(text)) ?? near[0];
}

/** The one that shares most words with a text, the last of several. */
function findMostAlike(text: string, messages: readonly MessengerMessage[]): MessengerMessage | undefined {
  const stems = stemsIn(text);
  const shared = messages.map(message => stemsIn(message.text).intersection(stems).size);
  return messages[shared.lastIndexOf(Math.max(...shared))];
}
