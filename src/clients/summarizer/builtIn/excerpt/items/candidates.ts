import type { Conversation } from '../../../conversation.ts';
import { awaitsAnswer, type Commitment, newCommitment, type Person, questionOf } from '../../commitments.ts';
import type { Turn } from '../../reading.ts';
import { isOnlyDay } from '../../replies.ts';
import { isAbout } from '../../stems.ts';
import type { Reading } from '../../types.ts';
import type { When } from '../../when.ts';

/** Something that may be left to do, with the words that bind someone to it. */
export type Candidate = {
  commitment: Commitment;
  /** The sentence that binds: a promise, a yes, a request or a question that no one has answered. */
  binding: Reading;
  /** The index of its turn. */
  at: number;
  /** What those words answer, said by someone else; null where they answer nothing. */
  asked: Reading | null;
  /** They say too little to be read without what they answer, if they answer something. */
  isRiddle: boolean;
  /** They say nothing without it: "will do". */
  isEmpty: boolean;
  /** An answer is waited for, nothing else. */
  isQuestion: boolean;
  when: When | null;
  /** A threat says what happens after its day. */
  isUltimatum?: boolean;
};

/** All that may be left to do, whatever became of it: what stays open is decided by its signals. */
export function candidatesIn(commitments: Commitment[], turns: Turn[], conversation: Conversation): Candidate[] {
  const turnOf = new Map(
    turns.flatMap(turn => turn.readings.map((reading): [Reading, number] => [reading, turn.index])),
  );
  const made = commitments.flatMap(commitment => candidateOf(commitment, { turns, turnOf, conversation }) ?? []);
  const bound = new Set(made.map(({ at }) => at));
  // "No wait, Friday" has moved what was asked for.
  const moves = new Set(commitments.map(({ when }) => when));
  const agreed = turns.flatMap(turn => (bound.has(turn.index) ? [] : (agreementIn(turn, turns, conversation) ?? [])));
  return [...made, ...agreed.filter(({ when }) => !moves.has(when))];
}

type Read = { turns: Turn[]; turnOf: ReadonlyMap<Reading, number>; conversation: Conversation };

function candidateOf(commitment: Commitment, { turns, turnOf, conversation }: Read): Candidate | null {
  const isQuestion = commitment.kind === 'question' || awaitsAnswer(commitment);
  const binding = isQuestion ? questionOf(commitment) : bindingOf(commitment);
  const at = binding && turnOf.get(binding);
  if (!binding || at === undefined) return null;
  const { utterance } = binding.sentence;
  const isOthers = (reading: Reading) => reading.sentence.utterance.speaker !== utterance.speaker;
  const isRiddle = !isQuestion && saysLittle(binding, commitment);
  const before = commitment.readings.filter(reading => isOthers(reading) && reading.index < binding.index);
  const ofCommitment = before.findLast(({ sentence }) => sentence.stems.length > 1) ?? before[0] ?? null;
  const justAsked = isRiddle ? askedBefore(turns, at) : null;
  // What asks for something itself answers nothing, but "fine, make it 8" a proposal.
  const asks =
    binding.sentence.isQuestion ||
    (commitment.kind !== 'proposal' && binding.moves.some(({ act }) => act === 'request'));
  const answered = utterance.replyTo === null ? (justAsked ?? ofCommitment) : (ofCommitment ?? justAsked);
  const isEmpty = isRiddle && saysNothing(binding, commitment);
  return {
    commitment: isQuestion ? commitment : owed(commitment, binding, conversation),
    binding,
    at,
    asked: isQuestion || asks ? null : answered,
    isRiddle: isRiddle && (isEmpty || answered === null || isAnsweredBy(answered, binding)),
    isEmpty,
    isQuestion,
    when:
      isQuestion && commitment.kind !== 'proposal'
        ? null
        : (dayOf(commitment, binding) ?? dayBeside(commitment, turns, turnOf)),
  };
}

/**
 * "The appointment is on the 26th, please bring your passport", "Workshop on Friday? Prepare a plan by then": the day of
 * another sentence of the message that asks.
 */
function dayBeside({ kind, readings }: Commitment, turns: Turn[], turnOf: Read['turnOf']): When | null {
  const [first] = readings;
  const turn = first && turns[turnOf.get(first) ?? -1];
  if (kind !== 'request' || !turn) return null;
  const isByThen = readings.some(({ lexicon, folded }) => lexicon.calendar.byThen.test(folded));
  const before = turn.readings.slice(0, turn.readings.indexOf(first));
  const named = before.filter(
    ({ when, isDone, isMeeting }) => when && !when.isHour && !isDone && (isByThen || isMeeting),
  );
  const days = new Set(named.map(({ when }) => when?.date));
  return days.size === 1 ? (named.at(-1)?.when ?? null) : null;
}

/**
 * The commitment as those words bind: whoever promises owes it, whatever was asked of whom before, and whoever says what
 * they need between two people asks the other one for it.
 */
function owed(commitment: Commitment, binding: Reading, { isGroup, names }: Conversation): Commitment {
  const { speaker, fromUser } = binding.sentence.utterance;
  const doer = { name: speaker, isUser: fromUser };
  const isPromised = binding.moves.some(({ act, doer: who }) => act === 'promise' && who === 'speaker');
  // Between two people, what both agreed to do is for both.
  if (isPromised && isGroup && commitment.kind === 'proposal') return { ...commitment, kind: 'promise', doer };
  if (isPromised && commitment.kind !== 'proposal' && commitment.doer?.name !== speaker) return { ...commitment, doer };
  const isSpeakers = !isPromised && commitment.doer?.name === speaker;
  const isOfSelf = isSpeakers && commitment.kind === 'request' && commitment.asker.name === speaker;
  const asksListener = binding.moves.some(({ act, doer: who }) => act === 'request' && who === 'listener');
  if (!isOfSelf && !(isSpeakers && asksListener)) return commitment;
  if (isGroup) return { ...commitment, doer: null };
  return { ...commitment, doer: fromUser ? { name: names.peer, isUser: false } : { name: names.user, isUser: true } };
}

/** The last words with which whoever is to do it took it on, else those in which it was first asked for or promised. */
function bindingOf({ readings, doer, asker, kind }: Commitment): Reading | undefined {
  const [first] = readings;
  const own = readings.filter(({ sentence }) => sentence.utterance.speaker === doer?.name);
  if (kind === 'proposal') return readings.findLast(({ accepts, when }) => accepts || when !== null) ?? first;
  if (doer === null || own.length === 0 || doer.name === asker.name) return first;
  return own.findLast(({ moves, accepts, when }) => moves.length > 0 || accepts || when !== null) ?? first;
}

/** What names a day on its own, where it was settled last. */
function dayOf({ when }: Commitment, binding: Reading): When | null {
  return when ?? (binding.when?.isHour ? null : binding.when);
}

/** What neither asks for anything, nor names a day, nor shares a word with an answer is not what that answers. */
function isAnsweredBy({ sentence, moves, proposes, when }: Reading, binding: Reading): boolean {
  const asks = sentence.isQuestion || moves.some(({ act }) => act !== 'promise' && act !== 'statement');
  return asks || proposes || when !== null || isAbout(new Set(sentence.stems), binding.sentence.stems);
}

/** Words that mean something beside those of the day from which a sentence needs nothing else to be read. */
const ENOUGH = 3;

function saysLittle(reading: Reading, commitment: Commitment): boolean {
  return stemsOf(reading).length < ENOUGH || pointsBack(reading, commitment);
}

function saysNothing(reading: Reading, commitment: Commitment): boolean {
  return stemsOf(reading).length === 0 || pointsBack(reading, commitment);
}

function stemsOf({ sentence, when }: Reading): string[] {
  const day = when?.words.toLowerCase() ?? '';
  return sentence.stems.filter(stem => !day.includes(stem));
}

/** "Thursday", "do it", "send them": what is meant stands elsewhere. */
function pointsBack(reading: Reading, { deed }: Commitment): boolean {
  const isOwnDeed = reading.moves.some(move => move.deed === deed);
  return isOnlyDay(reading) || (isOwnDeed && deed !== null && (deed.isVague || deed.pointsBack === true));
}

/** For this many turns before them, a few words may be about what was said. */
const NEAR = 3;

/** What someone else said right before that asks, names a day or at least says something. */
function askedBefore(turns: Turn[], at: number): Reading | null {
  const here = turns[at];
  if (!here) return null;
  const near = turns.slice(Math.max(0, at - NEAR), at).filter(({ utterance }) => utterance.day === here.utterance.day);
  const isOwn = ({ utterance }: Turn) => utterance.speaker === here.utterance.speaker;
  // What was asked before they last spoke is answered already.
  const last = near.findLastIndex((turn, index) => isOwn(turn) && near.slice(index).some(later => !isOwn(later)));
  const heard = near
    .slice(last + 1)
    .filter(turn => !isOwn(turn))
    .flatMap(({ readings }) => readings)
    .filter(({ isSmallTalk, sentence }) => !isSmallTalk && sentence.stems.length > 1)
    .filter(reading => !isPromise(reading));
  return heard.findLast(({ sentence, moves }) => sentence.isQuestion || moves.length > 0) ?? heard.at(-1) ?? null;
}

/** It binds whoever says it, and asks for nothing. */
function isPromise({ moves, sentence }: Reading): boolean {
  return !sentence.isQuestion && moves.length > 0 && moves.every(({ act }) => act === 'promise');
}

/** "Thursday 4 pm, ok, we'll all be there": words that settle a day and that no one took for a promise. */
function agreementIn(turn: Turn, turns: Turn[], conversation: Conversation): Candidate | null {
  const { utterance, index, readings } = turn;
  // What was on a day that has passed is told, not agreed.
  const binding = readings.find(
    ({ when, sentence }) => when !== null && !when.isHour && when.date >= utterance.day && !sentence.isQuestion,
  );
  if (!binding || utterance.forwarded) return null;
  const named = turns
    .slice(Math.max(0, index - 2 * NEAR), index)
    .filter(before => before.utterance.speaker !== utterance.speaker && before.utterance.day === utterance.day)
    .flatMap(before => before.readings)
    .findLast(({ when }) => when !== null);
  const speaker: Person = { name: utterance.speaker, isUser: utterance.fromUser };
  const isOfUser = !conversation.isGroup && named?.when?.date === binding.when?.date;
  const doer = isOfUser ? { name: conversation.names.user, isUser: true } : speaker;
  const commitment: Commitment = {
    ...newCommitment(binding, turn, speaker),
    kind: 'proposal',
    doer,
    when: binding.when,
    strength: 0,
    isAccepted: named !== undefined,
  };
  const isRiddle = saysLittle(binding, commitment);
  return {
    commitment,
    binding,
    at: index,
    asked: named ?? (isRiddle ? askedBefore(turns, index) : null),
    isRiddle,
    isEmpty: isRiddle && saysNothing(binding, commitment),
    isQuestion: false,
    when: binding.when,
  };
}
