import type { Conversation } from '../conversation.ts';
import { isDoingSo, isOfMoment, passesOnGreetings } from './english/moments.ts';
import { addDay, datesAsked, dayTakenUp, hurry, isDayGiven } from './laterDays.ts';
import { keepFrom } from './outsiders.ts';
import { People } from './people.ts';
import { asksToMeet, Proposals } from './proposals.ts';
import { asksToKnow, isOfQuestion } from './questions.ts';
import type { Turn } from './reading.ts';
import {
  answersNext,
  doubtOf,
  givesData,
  handsOver,
  isAskedWith,
  isBriefAnswer,
  isConfirmed,
  isOnlyDone,
  isOnlyMe,
  isTooVague,
  isWording,
  mayAnswer,
  namesOtherDay,
  settleAnnounced,
  settleAsked,
  settleHandedOn,
  settleReceived,
  settleUnsure,
  stemsOf,
} from './replies.ts';
import { isAbout } from './stems.ts';
import {
  closing,
  copyFor,
  dated,
  firstOf,
  isJoking,
  isOfferTaken,
  leaveOpen,
  merged,
  newTask,
  type Person,
  pendingFor,
  REPLY_NEAR,
  samePromise,
  type Task,
  touch,
} from './tasks.ts';
import type { Move, Reading } from './types.ts';

/** More than people keep in mind. The oldest tasks are forgotten first. */
const MOST = 60;
const HEARD = 12;
const HANDED_OVER = ['document', 'photo', 'video', 'location', 'contact'];

/** Goes through the turns and keeps track of what is to be done. */
export function readAgenda(turns: Turn[], conversation: Conversation): Task[] {
  const agenda = new Agenda(conversation);
  for (const turn of turns) agenda.hear(turn);
  return agenda.tasks;
}

class Agenda {
  readonly tasks: Task[] = [];
  /** The most recent sentences of the day. */
  readonly #heard: Reading[] = [];
  readonly #conversation: Conversation;
  readonly #people: People;
  readonly #proposals: Proposals;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    this.#people = new People(conversation);
    this.#proposals = new Proposals(this.tasks, this.#people, conversation.isGroup);
  }

  hear(turn: Turn): void {
    const speaker = { name: turn.utterance.speaker, isUser: turn.utterance.fromUser };
    const putBack = keepFrom(this.tasks, speaker, this.#conversation);
    this.#handOver(turn, speaker);
    if (!turn.utterance.forwarded) this.#read(turn, speaker);
    putBack();
    this.tasks.splice(0, Math.max(0, this.tasks.length - MOST));
  }

  #read(turn: Turn, speaker: Person): void {
    for (const reading of turn.readings) {
      if (this.#heard.at(-1)?.sentence.utterance.day !== turn.utterance.day) this.#heard.length = 0;
      settleAsked(this.tasks, reading, speaker);
      const replied = this.#reply(reading, turn, speaker);
      let added = false;
      for (const move of reading.moves) added = this.#add(move, reading, turn, speaker) || added;
      // "No, on Monday?" has already moved the proposal.
      const isMoved = replied && reading.refuses && reading.when !== null;
      if (!added && !isMoved) added = this.#proposals.propose(reading, turn, speaker);
      if (!replied && !added) addDay(this.tasks, reading, turn, speaker);
      this.#heard.push(reading);
    }
    settleHandedOn(this.tasks, turn, speaker);
    settleUnsure(this.tasks, turn);
    this.#heard.splice(0, Math.max(0, this.#heard.length - HEARD));
  }

  #reply(reading: Reading, turn: Turn, speaker: Person): boolean {
    if (reading.isDone) settleAnnounced(this.tasks, reading, speaker);
    if (reading.isDone && this.#settle(reading, turn, speaker)) {
      this.#answerLatest(reading, turn, speaker);
      return true;
    }
    settleReceived(this.tasks, reading, turn, speaker);
    if (givesData(reading) && this.#settle(reading, turn, speaker)) return true;
    if (reading.refuses && this.#withdraw(reading, turn, speaker)) return true;
    const open = pendingFor(this.tasks, turn, speaker, this.#conversation.isGroup).filter(
      task => mayAnswer(task, reading) && (task.isQuestion || !isOnlyMe(reading)),
    );
    // In a group, a mere yes answers something that was said since its speaker last spoke.
    const latest = open.findLast(({ lastTurn }) => !this.#conversation.isGroup || lastTurn > turn.spokeBefore);
    const target = open.findLast(task => isAbout(task.stems, reading.sentence.stems)) ?? latest;
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
    const isContent =
      (!reading.isSmallTalk || reading.when !== null || (target.kind === 'question' && isBriefAnswer(reading))) &&
      !reading.isMoment &&
      !reading.sentence.isQuestion;
    const asked = open.filter(({ kind, isQuestion }) => kind === 'question' || kind === 'offer' || isQuestion);
    const question = asked.findLast(({ stems }) => isAbout(stems, reading.sentence.stems)) ?? asked.at(-1);
    if (question && isContent && isDayGiven(question, reading)) return this.#accept(question, reading, turn, speaker);
    if (!question || !isContent || (question.kind === 'request' && reading.moves.length > 0)) return false;
    if ((question.kind === 'proposal' && reading.when) || answersNext(question, reading, turn)) return false;
    if (isOfferTaken(question, reading)) return false;
    return this.#answer(question, reading, turn);
  }

  /** "The 15th is bad for me after all": withdraws an agreement. */
  #withdraw(reading: Reading, turn: Turn, speaker: Person): boolean {
    if (firstOf(reading) !== 'refuses') return false;
    const agreed = this.tasks.findLast(
      ({ kind, state, isAccepted, lastTurn }) =>
        kind === 'proposal' && state === 'open' && isAccepted && turn.index - lastTurn <= 2 * REPLY_NEAR,
    );
    if (!agreed || !isAbout(agreed.stems, reading.sentence.stems)) return false;
    agreed.state = 'dropped';
    agreed.outcome = reading;
    agreed.doer = speaker;
    touch(agreed, reading, turn);
    return true;
  }

  /** A sentence that says that something is done may also answer a question. */
  #answerLatest(reading: Reading, turn: Turn, speaker: Person): void {
    if (reading.isSmallTalk || reading.sentence.words.length < 4) return;
    const question = pendingFor(this.tasks, turn, speaker, this.#conversation.isGroup).findLast(
      ({ kind }) => kind === 'question',
    );
    if (question) this.#answer(question, reading, turn);
  }

  #answer(task: Task, reading: Reading, turn: Turn): boolean {
    datesAsked(this.tasks, task, reading, turn);
    for (const one of this.tasks.filter(other => isAskedWith(task, other))) {
      one.state = 'answered';
      one.outcome = reading;
    }
    touch(task, reading, turn);
    return reading.moves.length === 0;
  }

  #accept(task: Task, reading: Reading, turn: Turn, speaker: Person): boolean {
    const isAnswer = task.kind === 'question' || (task.kind === 'proposal' && isOnlyMe(reading));
    if (isAnswer) return this.#answer(task, reading, turn);
    if (task.isForAll) {
      if (reading.lexicon.acts.someone.test(reading.folded)) return leaveOpen(task, reading, turn);
      this.tasks.push({ ...copyFor(task, speaker, reading, turn), when: merged(task.when, reading.when) });
      return true;
    }
    // "Yes, someone should" is no promise.
    if (task.doer === null && !task.isQuestion && task.kind === 'request') return false;
    task.isAccepted = true;
    task.doer ??= speaker;
    task.strength += 0.3;
    const takesDay = !task.when || task.kind === 'proposal' || isDayGiven(task, reading);
    if (reading.when && takesDay) task.when = dated(task, reading.when);
    touch(task, reading, turn);
    return reading.moves.length === 0;
  }

  /** A file or a picture settles what its sender was to send. */
  #handOver({ utterance, index, readings }: Turn, speaker: Person): void {
    const isFile = utterance.media !== null && HANDED_OVER.includes(utterance.media);
    if (!isFile && !isWording(utterance)) return;
    const said = readings.flatMap(({ sentence }) => sentence.stems);
    const task = closing(this.tasks, speaker, {
      said,
      turn: index,
      near: isFile ? 8 : 3,
      today: utterance.day,
      isFile: true,
    });
    if (!task) return;
    task.state = 'done';
    task.outcome = readings[0] ?? task.readings.at(-1) ?? null;
    // In a group whoever does it is the one who was meant.
    task.doer = speaker;
    task.lastTurn = index;
    // "Could you send the offer by Monday?", "I'll send it": one file settles both.
    for (const asked of this.tasks.filter(
      ({ kind, state, doer }) => kind === 'proposal' && state === 'open' && doer?.name === speaker.name,
    ))
      if (isAbout(asked.stems, said)) Object.assign(asked, { state: 'done', outcome: task.outcome });
  }

  #settle(reading: Reading, turn: Turn, speaker: Person): boolean {
    const { stems, utterance } = reading.sentence;
    const task = closing(this.tasks, speaker, {
      said: stems,
      turn: turn.index,
      near: isOnlyDone(reading) ? 4 : -1,
      today: utterance.day,
      isFile: false,
    });
    if (!task) return false;
    if (task.isForAll) {
      this.tasks.push({ ...copyFor(task, speaker, reading, turn), state: 'done', outcome: reading });
      return true;
    }
    task.state = 'done';
    task.outcome = reading;
    task.doer = speaker;
    touch(task, reading, turn);
    return true;
  }

  #add(move: Move, reading: Reading, turn: Turn, speaker: Person): boolean {
    const { when } = move;
    if (isOfMoment(move) || (isDoingSo(move) && passesOnGreetings(this.#heard))) return true;
    if (isTooVague(reading, move) || (when === null && asksToKnow(reading))) return false;
    if (isOfQuestion(move, reading, this.#heard)) return true;
    const doer = this.#people.doerOf(move.doer, reading, speaker);
    const kind = move.act === 'need' || move.act === 'request' ? 'request' : move.act === 'offer' ? 'offer' : 'promise';
    if (kind === 'request' && asksToMeet(move, reading)) return this.#proposals.propose(reading, turn, speaker);
    const stems = new Set(stemsOf(move, reading));
    const same = samePromise(this.tasks, { move, doer, stems }, turn, speaker);
    if (same) {
      const isReply = same.asker.name !== speaker.name;
      touch(same, reading, turn);
      same.strength = Math.max(same.strength, move.strength) + (isReply ? 0.3 : 0);
      if (isReply) same.isAccepted = true;
      const isEarlier = isReply && same.when !== null && when !== null && when.date < same.when.date && !when.isHour;
      if (when && (!isEarlier || handsOver(move, same))) same.when = merged(same.when, when);
      if (move.deed && (same.deed === null || (same.deed.isVague && !move.deed.isVague))) same.deed = move.deed;
      same.doer ??= doer;
      return true;
    }
    if (kind === 'request' && move.deed?.isVague && when && hurry(this.tasks, reading, when, doer, turn)) return true;
    const strength =
      move.strength -
      (isJoking(reading, turn) && !when ? 0.4 : 0) -
      (kind === 'request' && !when ? doubtOf(move, reading) : 0);
    if (strength < 0.1) return false;
    const isForAll =
      this.#conversation.isGroup && move.doer === 'listener' && doer === null && !reading.sentence.isQuestion;
    const task: Task = {
      ...newTask(reading, turn, speaker),
      kind,
      doer,
      deed: move.deed,
      when: isConfirmed(move) ? null : when,
      stems,
      strength,
      isForAll,
    };
    if (kind === 'promise' && !when) task.when = dayTakenUp(move, reading, this.#heard);
    this.tasks.push(task);
    return true;
  }
}
