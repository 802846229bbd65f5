import type { MessengerMessage } from '../../messenger/types.ts';
import { findAnswered, findReplies, isAnswer, wordQuestions } from '../questions.ts';
import { chooseWaiting } from '../reader/choose.ts';
import type { PendingQuestions } from '../types.ts';
import type { ScoredRequest } from './readRequest.ts';

/** Maximum number of open questions per conversation; the oldest ones are kept. */
const MAX_QUESTIONS = 20;

/** Finds unanswered questions to the user: those of the last day, and older ones if the user has not written since. */
export function findWaits({ model, days, isGroup }: ScoredRequest, messages: MessengerMessage[]): PendingQuestions {
  const said = days.flatMap(({ said, scored }, n) => {
    const waiting = chooseWaiting(scored, model.thresholds);
    return said.map((one, at) => ({ ...one, isLast: n === days.length - 1, waits: waiting.includes(at) }));
  });
  const lastByUser = said.findLastIndex(({ message }) => isAnswer(message));
  const isToOthers = ({ replyTo }: MessengerMessage) =>
    isGroup && said.some(({ message }) => message.id === replyTo && !message.fromUser);
  const replies = isGroup ? findReplies(messages) : [];
  const isRepliedTo = ({ id }: MessengerMessage) => replies.some(({ to }) => to === id);
  const questions = said.filter(
    ({ message, waits, isLast }, at) =>
      waits && !message.forwarded && !isToOthers(message) && !isRepliedTo(message) && (isLast || at > lastByUser),
  );
  const firstAsked = questions[0] ? said.indexOf(questions[0]) : said.length;
  const settledBy = said.slice(0, firstAsked).findLast(({ message }) => isAnswer(message));
  return {
    settledBy: settledBy?.id ?? null,
    questions: wordQuestions(
      questions.slice(0, MAX_QUESTIONS).map(({ id }) => id),
      [],
      messages,
    ),
    answered: findAnswered(messages),
    replies,
  };
}
