import type { MessengerMessage } from '../../messenger/types.ts';
import { answeredIn, questionsInWords, repliedIn } from '../questions.ts';
import { chooseWaiting } from '../reader/choose.ts';
import type { PendingQuestions } from '../types.ts';
import type { ScoredRequest } from './readRequest.ts';

/** Per conversation. Whoever asked more than this has been waiting since the first of the questions kept. */
const MOST_QUESTIONS = 20;

/** Who waits for the user's answer: on the last day, or since before, where the user has not written since. */
export function findWaits({ model, days, isGroup }: ScoredRequest, messages: MessengerMessage[]): PendingQuestions {
  const said = days.flatMap(({ said: of, scored }, n) => {
    const waiting = chooseWaiting(scored, model.thresholds);
    return of.map((one, at) => ({ ...one, isLast: n === days.length - 1, waits: waiting.includes(at) }));
  });
  const lastByUser = said.findLastIndex(({ message }) => isAnswer(message));
  const isToOthers = ({ replyTo }: MessengerMessage) =>
    isGroup && said.some(({ message }) => message.id === replyTo && !message.fromUser);
  const repliedIds = isGroup ? repliedIn(messages) : [];
  const asked = said.filter(
    ({ message, waits, isLast }, at) =>
      waits &&
      !message.forwarded &&
      !isToOthers(message) &&
      !repliedIds.includes(message.id) &&
      (isLast || at > lastByUser),
  );
  const firstAsked = asked[0] ? said.indexOf(asked[0]) : said.length;
  const settledBy = said.slice(0, firstAsked).findLast(({ message }) => isAnswer(message));
  return {
    settledBy: settledBy?.id ?? null,
    questions: questionsInWords(
      asked.slice(0, MOST_QUESTIONS).map(({ id }) => id),
      [],
      messages,
    ),
    answered: answeredIn(messages),
    repliedIds,
  };
}

/** A sticker of the user answers nothing; a thumb up does. */
export function isAnswer({ fromUser, media, text }: MessengerMessage): boolean {
  if (!fromUser) return false;
  return (
    (media !== undefined && media !== null && media.kind !== 'sticker') ||
    /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text)
  );
}
