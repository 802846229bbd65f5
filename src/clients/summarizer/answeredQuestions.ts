import type { MessengerMessage } from '../messenger/types.ts';
import type { Answered } from './types.ts';
import { quoteOf } from './withQuotes.ts';

/** In any script. */
const QUESTION_MARK = /[?？؟]/u;
/** Of a long day, the last ones. */
const MOST = 50;

/** The other side's questions with the next message of the user, unless that is a question, too. */
export function answeredIn(messages: readonly MessengerMessage[]): Answered[] {
  let answer: MessengerMessage | undefined;
  const found: Answered[] = [];
  for (const message of messages.toReversed()) {
    if (message.fromUser && (message.media || /[\p{L}\p{N}]/u.test(message.text))) answer = message;
    if (message.fromUser || message.forwarded || !answer || !QUESTION_MARK.test(message.text)) continue;
    if (QUESTION_MARK.test(answer.text)) continue;
    found.push({ questionId: String(message.id), answerId: String(answer.id), words: quoteOf(answer.text) });
    if (found.length === MOST) break;
  }
  return found.toReversed();
}
