import { shorten } from '../../lib/words.ts';
import type { MessengerMessage } from '../messenger/types.ts';
import { stemsIn } from './cleaning.ts';
import { QUESTION_MARK } from './sentences.ts';
import type { Answered, OpenQuestion, Reply, SummarySentence } from './types.ts';
import { shortenQuote } from './withQuotes.ts';

const MAX_QUESTION_LENGTH = 240;
/** Shorter words seldom say what a question is about. */
const MIN_WORD_LETTERS = 3;

/**
 * The questions of these messages in the words of the summary: the sentence that cites the message and shares the most
 * words with it. If there is none, the message's own words.
 */
export function wordQuestions(
  messageIds: readonly string[],
  sentences: readonly SummarySentence[],
  messages: readonly MessengerMessage[],
): OpenQuestion[] {
  const texts = new Map(messages.map(({ id, text }) => [String(id), text]));
  return messageIds.map(messageId => {
    const quote = shortenQuote(texts.get(messageId) ?? '');
    const sentence = sentenceAbout(messageId, stemsIn(quote, MIN_WORD_LETTERS), sentences);
    return { messageId, words: sentence ? shorten(sentence, MAX_QUESTION_LENGTH) : quote && `“${quote}”` };
  });
}

function sentenceAbout(
  messageId: string,
  questionStems: Set<string>,
  sentences: readonly SummarySentence[],
): string | undefined {
  const [best] = sentences
    .filter(({ sourceMessageIds }) => sourceMessageIds.includes(messageId))
    .map(({ text, sourceMessageIds }) => ({
      text,
      sources: sourceMessageIds.length,
      shared: stemsIn(text, MIN_WORD_LETTERS).intersection(questionStems).size,
    }))
    .toSorted((a, b) => b.shared - a.shared || a.sources - b.sources);
  // A sentence that rests on several messages may be about another one.
  return best && (best.shared > 0 || best.sources === 1) ? best.text : undefined;
}

/** A sticker of the user answers nothing; a thumb up does. */
export function isAnswer({ fromUser, media, text }: MessengerMessage): boolean {
  return fromUser && ((media && media.kind !== 'sticker') || /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text));
}

/** Maximum number of answered questions that are returned, the newest ones. */
const MAX_ANSWERED = 50;

/** The other side's questions with the next message of the user, unless that is a question, too. */
export function findAnswered(messages: readonly MessengerMessage[]): Answered[] {
  let answer: MessengerMessage | undefined;
  const found: Answered[] = [];
  for (const message of messages.toReversed()) {
    if (isAnswer(message)) answer = message;
    if (message.fromUser || message.forwarded || !answer || !QUESTION_MARK.test(message.text)) continue;
    if (QUESTION_MARK.test(answer.text)) continue;
    found.push({ questionId: String(message.id), answerId: String(answer.id), words: shortenQuote(answer.text) });
    if (found.length === MAX_ANSWERED) break;
  }
  return found.toReversed();
}

/** Replies in words, and not with a question, to messages of someone else, or of whoever wrote before these messages. */
export function findReplies(messages: readonly MessengerMessage[]): Reply[] {
  const writerOf = ({ senderId, senderName }: MessengerMessage) => senderId ?? senderName;
  const writers = new Map(messages.map(message => [message.id, writerOf(message)]));
  return messages.flatMap(message => {
    const { replyTo, text } = message;
    const isAnswer = /[\p{L}\p{N}]/u.test(text) && !QUESTION_MARK.test(text);
    return replyTo && isAnswer && writers.get(replyTo) !== writerOf(message) ? [{ to: replyTo, by: writerOf(message) }] : [];
  });
}
