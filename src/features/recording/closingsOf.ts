import type { MessengerMessage } from '../../clients/messenger/types.ts';
import type { OpenPromise, QuotedClosing } from '../../clients/summarizer/types.ts';
import type { Closing, OpenPromiseRow } from './schema.ts';

const LONGEST_NAME = 100;

/** Numbers the promises for whoever checks the new messages against them. */
export function numbered(promises: readonly OpenPromiseRow[]): OpenPromise[] {
  return promises.map(({ promiseId: _, ...promise }, at) => {
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
  return read.flatMap(({ n, state, newDueDate, messageIds, quote }): Closing[] => {
    const promise = promises[n - 1];
    const last = messages.findLast(({ id }) => messageIds.includes(String(id)));
    if (!promise || !last) return [];
    // Postgres can store neither NUL nor half of a surrogate pair.
    const [who = '', words = ''] = [last.senderName.slice(0, LONGEST_NAME), quote].map(text =>
      text.replaceAll('\0', '').toWellFormed(),
    );
    const evidence = { who, when: last.sentAt.toISOString(), words, messageIds };
    const { promiseId } = promise;
    if (state !== 'moved') return [{ promiseId, state, evidence }];
    return newDueDate === null ? [] : [{ promiseId, state, newDueDate, evidence }];
  });
}
