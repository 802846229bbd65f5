import type { Conversation } from '../conversation.ts';
import {
  type Commitment,
  closing,
  copyFor,
  dated,
  firstOf,
  isJoking,
  leaveOpen,
  merged,
  newCommitment,
  type Person,
  pendingFor,
  samePromise,
  timed,
  touch,
} from './commitments.ts';
import { addDay, correctDay, isDayGiven } from './laterDays.ts';
import { keepFrom } from './outsiders.ts';
import { People } from './people.ts';
import { asksToMeet, Proposals } from './proposals.ts';
import type { Turn } from './reading.ts';
import {
  answersNext,
  doubtOf,
  isAskedWith,
  isBriefAnswer,
  isOnlyDone,
  isTooVague,
  isWording,
  mayAnswer,
  namesOtherDay,
  settleReceived,
  settleUnsure,
  stemsOf,
} from './replies.ts';
import { isAbout } from './stems.ts';
import type { Move, Reading } from './types.ts';

/** More than people keep in mind. The oldest commitments are forgotten first. */
const MOST = 60;
const HANDED_OVER = ['document', 'photo', 'video', 'location', 'contact'];

/** Goes through the turns and keeps track of what is to be done. */
export function findCommitments(turns: Turn[], conversation: Conversation): Commitment[] {
  const finder = new CommitmentFinder(conversation);
  for (const turn of turns) finder.hear(turn);
  return finder.commitments;
}

class CommitmentFinder {
  readonly commitments: Commitment[] = [];
  readonly #conversation: Conversation;
  readonly #people: People;
  readonly #proposals: Proposals;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    this.#people = new People(conversation);
    this.#proposals = new Proposals(this.commitments, this.#people, conversation.isGroup);
  }

  hear(turn: Turn): void {
    const speaker = { name: turn.utterance.speaker, isUser: turn.utterance.fromUser };
    const putBack = keepFrom(this.commitments, speaker, this.#conversation);
    this.#handOver(turn, speaker);
    if (!turn.utterance.forwarded) this.#read(turn, speaker);
    putBack();
    this.commitments.splice(0, Math.max(0, this.commitments.length - MOST));
  }

  #read(turn: Turn, speaker: Person): void {
    for (const reading of turn.readings) {
      if (correctDay(this.commitments, reading, turn, speaker)) continue;
      const replied = this.#reply(reading, turn, speaker);
      let added = false;
      for (const move of reading.moves) added = this.#add(move, reading, turn, speaker) || added;
      // "No, on Monday?" has already moved the proposal.
      const isMoved = replied && reading.refuses && reading.when !== null;
      if (!added && !isMoved) added = this.#proposals.propose(reading, turn, speaker);
      if (!replied && !added) addDay(this.commitments, reading, turn, speaker);
    }
    settleUnsure(this.commitments, turn);
  }

  #reply(reading: Reading, turn: Turn, speaker: Person): boolean {
    if (reading.isDone && this.#settle(reading, turn, speaker)) return true;
    settleReceived(this.commitments, reading, turn, speaker);
    const open = pendingFor(this.commitments, turn, speaker, this.#conversation.isGroup).filter(commitment =>
      mayAnswer(commitment, reading),
    );
    // In a group, a mere yes answers something that was said since its speaker last spoke.
    const latest = open.findLast(({ lastTurn }) => !this.#conversation.isGroup || lastTurn > turn.spokeBefore);
    const target = open.findLast(commitment => isAbout(commitment.stems, reading.sentence.stems)) ?? latest;
    if (!target) return false;
    const first = firstOf(reading);
    // "Yes, may I help you?" answers and asks.
    if (target.kind === 'question' && reading.sentence.isQuestion && (reading.accepts || reading.refuses))
      this.#answer(target, reading, turn);
    if (first === 'refuses') {
      // "No, the week after" is a proposal of its own, and "not me" leaves it to the others.
      if (target.kind === 'proposal' && namesOtherDay(target, reading))
        return this.#proposals.moveDay(reading, turn, speaker);
      if (target.kind === 'request' && target.doer === null && this.#conversation.isGroup) return false;
      if (target.kind === 'question') return this.#answer(target, reading, turn);
      target.state = 'dropped';
      target.outcome = reading;
      touch(target, reading, turn);
      return true;
    }
    if (first === 'accepts') return this.#accept(target, reading, turn, speaker);
    // "Better at 8" is a counter-proposal.
    if (first === null && this.#proposals.namesOtherHour(reading, turn, speaker))
      return this.#proposals.moveDay(reading, turn, speaker);
    const isContent =
      (!reading.isSmallTalk || reading.when !== null || (target.kind === 'question' && isBriefAnswer(reading))) &&
      !reading.isMoment &&
      !reading.sentence.isQuestion;
    const asked = open.filter(({ kind, isQuestion }) => kind === 'question' || kind === 'offer' || isQuestion);
    const question = asked.findLast(({ stems }) => isAbout(stems, reading.sentence.stems)) ?? asked.at(-1);
    if (question && isContent && isDayGiven(question, reading)) return this.#accept(question, reading, turn, speaker);
    if (!question || !isContent || (question.kind === 'request' && reading.moves.length > 0)) return false;
    if ((question.kind === 'proposal' && reading.when) || answersNext(question, reading, turn)) return false;
    return this.#answer(question, reading, turn);
  }

  #answer(commitment: Commitment, reading: Reading, turn: Turn): boolean {
    for (const one of this.commitments.filter(other => isAskedWith(commitment, other))) {
      one.state = 'answered';
      one.outcome = reading;
    }
    touch(commitment, reading, turn);
    return reading.moves.length === 0;
  }

  #accept(commitment: Commitment, reading: Reading, turn: Turn, speaker: Person): boolean {
    if (commitment.kind === 'question') return this.#answer(commitment, reading, turn);
    if (commitment.isForAll) {
      if (reading.lexicon.acts.someone.test(reading.folded)) return leaveOpen(commitment, reading, turn);
      this.commitments.push({
        ...copyFor(commitment, speaker, reading, turn),
        when: merged(commitment.when, reading.when),
      });
      return true;
    }
    // "Yes, someone should" is no promise.
    if (commitment.doer === null && !commitment.isQuestion && commitment.kind === 'request') return false;
    commitment.isAccepted = true;
    commitment.doer ??= speaker;
    commitment.strength += 0.3;
    const takesDay = !commitment.when || commitment.kind === 'proposal' || isDayGiven(commitment, reading);
    if (reading.when && takesDay) commitment.when = dated(commitment, reading.when);
    else if (reading.hour && commitment.when && (commitment.when.time === null || commitment.kind === 'proposal'))
      commitment.when = timed(commitment.when, reading);
    touch(commitment, reading, turn);
    return reading.moves.length === 0;
  }

  /** A file or a picture settles what its sender was to send. */
  #handOver({ utterance, index, readings }: Turn, speaker: Person): void {
    const isFile = utterance.media !== null && HANDED_OVER.includes(utterance.media);
    if (!isFile && !isWording(utterance)) return;
    const said = readings.flatMap(({ sentence }) => sentence.stems);
    const commitment = closing(this.commitments, speaker, {
      said,
      turn: index,
      near: isFile ? 8 : 3,
      today: utterance.day,
      isFile: true,
    });
    if (!commitment) return;
    commitment.state = 'done';
    commitment.outcome = readings[0] ?? commitment.readings.at(-1) ?? null;
    // In a group whoever does it is the one who was meant.
    commitment.doer = speaker;
    commitment.lastTurn = index;
    // "Could you send the offer by Monday?", "I'll send it": one file settles both.
    for (const asked of this.commitments.filter(
      ({ kind, state, doer }) => kind === 'proposal' && state === 'open' && doer?.name === speaker.name,
    ))
      if (isAbout(asked.stems, said)) Object.assign(asked, { state: 'done', outcome: commitment.outcome });
  }

  #settle(reading: Reading, turn: Turn, speaker: Person): boolean {
    const { stems, utterance } = reading.sentence;
    const commitment = closing(this.commitments, speaker, {
      said: stems,
      turn: turn.index,
      near: isOnlyDone(reading) ? 4 : -1,
      today: utterance.day,
      isFile: false,
    });
    if (!commitment) return false;
    if (commitment.isForAll) {
      this.commitments.push({ ...copyFor(commitment, speaker, reading, turn), state: 'done', outcome: reading });
      return true;
    }
    commitment.state = 'done';
    commitment.outcome = reading;
    commitment.doer = speaker;
    touch(commitment, reading, turn);
    return true;
  }

  #add(move: Move, reading: Reading, turn: Turn, speaker: Person): boolean {
    const { when } = move;
    if (isTooVague(reading, move)) return false;
    const doer = this.#people.doerOf(move.doer, reading, speaker);
    const kind = move.act === 'request' ? 'request' : move.act === 'offer' ? 'offer' : 'promise';
    if (kind === 'request' && asksToMeet(move, reading)) return this.#proposals.propose(reading, turn, speaker);
    if (kind === 'request' && isOfProposal(this.commitments, move, reading)) return true;
    const stems = new Set(stemsOf(move, reading));
    const same = samePromise(this.commitments, { move, doer, stems }, turn, speaker);
    if (same) {
      const isReply = same.asker.name !== speaker.name;
      touch(same, reading, turn);
      same.strength = Math.max(same.strength, move.strength) + (isReply ? 0.3 : 0);
      if (isReply) same.isAccepted = true;
      // "I'll look at it tomorrow" is a first step.
      const isEarlier = isReply && same.when !== null && when !== null && when.date < same.when.date && !when.isHour;
      if (when && !isEarlier) same.when = merged(same.when, when);
      if (move.deed && (same.deed === null || (same.deed.isVague && !move.deed.isVague))) same.deed = move.deed;
      same.doer ??= doer;
      return true;
    }
    const strength =
      move.strength - (isJoking(reading, turn) && !when ? 0.4 : 0) - (kind === 'request' && !when ? doubtOf(move) : 0);
    if (strength < 0.1) return false;
    const isForAll =
      this.#conversation.isGroup && move.doer === 'listener' && doer === null && !reading.sentence.isQuestion;
    this.commitments.push({
      ...newCommitment(reading, turn, speaker),
      kind,
      doer,
      deed: move.deed,
      when,
      stems,
      strength,
      isForAll,
    });
    return true;
  }
}

/** "Fine, but make it 8" asks for nothing beside the hour. */
function isOfProposal(commitments: Commitment[], { deed }: Move, reading: Reading): boolean {
  const isVague = deed?.isVague === true && reading.hour !== null;
  return (
    isVague &&
    commitments.some(({ kind, when, readings }) => kind === 'proposal' && when && readings.at(-1) === reading)
  );
}
