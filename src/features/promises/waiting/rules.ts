import type { MessengerMessage } from '../../../clients/messenger/types.ts';
import type { Waits } from '../../../clients/summarizer/types.ts';
import type { Asked } from './schema.ts';

const LONGEST_WORDS = 300;

/** What a conversation's messages ask of the user, as it is stored. They must be all of one stretch, oldest first. */
export function askedIn(
  dialogId: string,
  { settledBy, questions }: Waits,
  messages: readonly MessengerMessage[],
): Asked {
  const times = new Map(messages.map(({ id, sentAt }) => [String(id), sentAt]));
  return {
    dialogId,
    firstMessageId: messages[0]?.id ?? 0,
    settledBy: settledBy === null ? 0 : Number(settledBy),
    questions: questions.flatMap(({ messageId, words }) => {
      const askedAt = times.get(messageId);
      // Postgres can store neither NUL nor half of a surrogate pair.
      const kept = words.slice(0, LONGEST_WORDS).replaceAll('\0', '').toWellFormed();
      return askedAt ? [{ messageId: Number(messageId), askedAt, words: kept }] : [];
    }),
  };
}
