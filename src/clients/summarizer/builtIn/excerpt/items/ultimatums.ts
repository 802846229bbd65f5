import type { Conversation } from '../../../conversation.ts';
import { newCommitment, type Person } from '../../commitments.ts';
import type { Turn } from '../../reading.ts';
import type { Reading } from '../../types.ts';
import type { Candidate } from './candidates.ts';

/** Of a sentence that threatens. */
const MOST_WORDS = 30;

/** Threats with a day: whoever is threatened has until then, and what was found beside them is dated by it. */
export function withUltimatums(found: Candidate[], turns: Turn[], conversation: Conversation): Candidate[] {
  const dated = found.map(one => {
    const turn = turns[one.at];
    const day = turn && !one.isQuestion ? dayOfThreat(turn, one.binding) : null;
    if (!turn || !day || isPromised(one) || isTakenBack(turn, turns)) return one;
    const { doer } = one.commitment;
    const isSpeaker = doer === null || doer.name === turn.utterance.speaker;
    const commitment = { ...one.commitment, doer: isSpeaker ? threatened(turn, conversation) : doer, when: day };
    return { ...one, commitment, when: day, isUltimatum: true };
  });
  const bound = new Set(found.filter(({ isQuestion }) => !isQuestion).map(({ at }) => at));
  const others = turns.flatMap(turn => (bound.has(turn.index) ? [] : (ultimatumIn(turn, turns, conversation) ?? [])));
  return [...dated, ...others];
}

/** "If it isn't here by Friday, we cancel the contract": asks for nothing in so many words. */
function ultimatumIn(turn: Turn, turns: Turn[], conversation: Conversation): Candidate | null {
  const { utterance, readings, index } = turn;
  const binding = readings.find(reading => reading.when !== null && !reading.when.isHour && threatens(reading));
  const day = binding ? dayOfThreat(turn, binding) : null;
  if (!binding || !day || utterance.forwarded || isTakenBack(turn, turns)) return null;
  const { speaker, fromUser } = utterance;
  const commitment = {
    ...newCommitment(binding, turn, { name: speaker, isUser: fromUser }),
    kind: 'request' as const,
    doer: threatened(turn, conversation),
    when: day,
  };
  const known = { asked: null, isRiddle: false, isEmpty: false, isQuestion: false, isUltimatum: true };
  return { commitment, binding, at: index, when: day, ...known };
}

/** The day of the words themselves, else one that the same message names. */
function dayOfThreat({ readings, utterance }: Turn, binding: Reading) {
  if (!readings.some(threatens)) return null;
  const days = [binding, ...readings].flatMap(({ when }) => (when && !when.isHour ? [when] : []));
  return days.find(({ date }) => date >= utterance.day) ?? null;
}

/** In a long story, a day and a threat have little to do with each other. */
function threatens({ folded, lexicon, isJoke, sentence }: Reading): boolean {
  return !isJoke && sentence.words.length <= MOST_WORDS && lexicon.acts.threat.test(folded);
}

function isPromised({ binding: { moves } }: Candidate): boolean {
  return moves.some(({ act, doer }) => act === 'promise' && doer === 'speaker');
}

function isTakenBack(turn: Turn, turns: Turn[]): boolean {
  const later = turns.slice(turn.index + 1).filter(({ utterance }) => utterance.speaker === turn.utterance.speaker);
  return later.some(({ readings }) =>
    readings.some(({ accepts, isDone, isSmallTalk }) => accepts || isDone || isSmallTalk),
  );
}

/** Between two people the other one; in a group that is not known. */
function threatened({ utterance }: Turn, { isGroup, names }: Conversation): Person | null {
  if (isGroup) return null;
  return utterance.fromUser ? { name: names.peer, isUser: false } : { name: names.user, isUser: true };
}
