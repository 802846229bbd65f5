import type { Commitment } from './commitments.ts';
import type { Turn } from './reading.ts';
import type { Reading } from './types.ts';

/** What is asked of the user at the end of a conversation, and what settled all that was asked before. */
export type Asked = {
  /** The turn that answers, or says that no answer is needed. */
  settledBy: Turn | null;
  /** The questions after it, in the order in which they were asked. */
  questions: Reading[];
};

/**
 * What the other side has asked the user since the user last wrote, where an answer is expected: earlier questions
 * count as answered or dropped. News and thanks need no answer.
 */
export function findAsked(commitments: Commitment[], turns: Turn[]): Asked {
  const lastByUser = turns.findLastIndex(isAnswer);
  const after = turns.slice(lastByUser + 1).filter(({ utterance }) => !utterance.forwarded && !utterance.fromUser);
  const letGo = after.findLast(({ readings }) =>
    readings.some(({ lexicon, folded }) => lexicon.acts.noReply.test(folded)),
  );
  if (letGo) return { settledBy: letGo, questions: [] };
  const said = after.flatMap(({ readings }) => readings);
  const isBetweenTwo = new Set(turns.map(({ utterance }) => utterance.speaker)).size <= 2;
  const questions = new Set([
    ...(isBetweenTwo ? said.filter(asksAgain) : []),
    ...commitments
      .filter(commitment => isAskedOfUser(commitment, lastByUser))
      .flatMap(commitment => firstOf(commitment, said) ?? []),
  ]);
  return { settledBy: turns[lastByUser] ?? null, questions: said.filter(reading => questions.has(reading)) };
}

/** A sticker of the user answers nothing; a thumb up does. */
function isAnswer({ utterance, readings }: Turn): boolean {
  if (!utterance.fromUser) return false;
  if (utterance.media !== null && utterance.media !== 'sticker') return true;
  return readings.some(({ accepts, folded }) => accepts || /[\p{L}\p{N}]/u.test(folded));
}

function isAskedOfUser({ kind, state, asker, doer, isAccepted, readings, lastTurn }: Commitment, lastByUser: number) {
  if (state !== 'open' || isAccepted || lastTurn <= lastByUser || !doer?.isUser) return false;
  if (kind !== 'promise' && !asker.isUser) return true;
  // Someone asked again for what the user owes.
  const last = readings.at(-1);
  return last !== undefined && !last.sentence.utterance.fromUser && (last.sentence.isQuestion || asksAgain(last));
}

/** Where the commitment came up among what was `said`; if its readings don't include that, the last of `said`. */
function firstOf({ readings }: Commitment, said: Reading[]): Reading | undefined {
  return readings.find(reading => said.includes(reading)) ?? said.at(-1);
}

const asksAgain = ({ lexicon, folded }: Reading) => lexicon.acts.asksAgain.test(folded);
