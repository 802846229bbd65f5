import type { MessengerMessage } from '../../../clients/messenger/types.ts';
import type { OpenPromise, QuotedClosing, Waits } from '../../../clients/summarizer/types.ts';
import type { Answer, Closing, OpenPromiseRow } from './schema.ts';

const LONGEST_NAME = 100;

/** Numbers the promises for whoever checks the new messages against them. */
export function numbered(promises: readonly OpenPromiseRow[]): OpenPromise[] {
  return promises.map(({ promiseId: _, itemId: __, ...promise }, at) => {
    return { n: at + 1, ...promise, ...(promise.request && { sourceTexts: [promise.request.words] }) };
  });
}

/**
 * What was read about the promises given to {@link numbered}, with who said it and when. Anything that rests on none of
 * these messages is left out.
 */
export function closingsOf(
  read: readonly QuotedClosing[],
  promises: readonly OpenPromiseRow[],
  messages: readonly MessengerMessage[],
): Closing[] {
  return read.flatMap(({ n, state, newDueDate, messageIds, quote, isAnswered }): Closing[] => {
    const promise = promises[n - 1];
    const last = messages.findLast(({ id }) => messageIds.includes(String(id)));
    if (!promise || !last) return [];
    const [who, words] = [whoWrote(last), storable(quote)];
    // Nothing keeps what was promised after it.
    if (Number(last.id) <= Math.max(0, ...(promise.sourceMessageIds ?? []).map(Number))) return [];
    const evidence = { who, when: last.sentAt.toISOString(), words, messageIds };
    const { promiseId } = promise;
    if (state !== 'moved') return [{ promiseId, state, evidence, ...(isAnswered && { isAnswered }) }];
    return newDueDate === null ? [] : [{ promiseId, state, newDueDate, evidence }];
  });
}

/** The user's answers to the other side's questions, with who wrote them and when. */
export function answersIn(
  { dialogId, waits }: { dialogId: string; waits: Waits },
  messages: readonly MessengerMessage[],
): Answer[] {
  const byId = new Map(messages.map(message => [String(message.id), message]));
  return (waits.answered ?? []).flatMap(({ questionId, answerId, words }) => {
    const answer = byId.get(answerId);
    if (!answer) return [];
    const evidence = {
      who: whoWrote(answer),
      when: answer.sentAt.toISOString(),
      words: storable(words),
      messageIds: [answerId],
    };
    return [{ dialogId, questionId, evidence }];
  });
}

/** The user is "You" on every page. */
function whoWrote({ fromUser, senderName }: MessengerMessage): string {
  return fromUser ? 'You' : storable(senderName.slice(0, LONGEST_NAME));
}

/** Postgres can store neither NUL nor half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
