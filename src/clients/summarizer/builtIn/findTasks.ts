import type { Conversation } from '../conversation.ts';
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
import {
  closing,
  copyFor,
  dated,
  firstOf,
  isJoking,
  leaveOpen,
  merged,
  newTask,
  type Person,
  pendingFor,
  samePromise,
  type Task,
  timed,
  touch,
} from './tasks.ts';
import type { Move, Reading } from './types.ts';

/** More than people keep in mind. The oldest tasks are forgotten first. */
const MOST = 60;
const HANDED_OVER = ['document', 'photo', 'video', 'location', 'contact'];

/** Goes through the turns and keeps track of what is to be done. */
export function findTasks(turns: Turn[], conversation: Conversation): Task[] {
  const finder = new TaskFinder(conversation);
  for (const turn of turns) finder.hear(turn);
  return finder.tasks;
}

class TaskFinder {
  readonly tasks: Task[] = [];
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
      if (correctDay(this.tasks, reading, turn, speaker)) continue;
      const replied = this.#reply(reading, turn, speaker);
      let added = false;
      for (const move of reading.moves) added = this.#add(move, reading, turn, speaker) || added;
      // "No, on Monday?" has already moved the proposal.
      const isMoved = replied && reading.refuses && reading.when !== null;
      if (!added && !isMoved) added = this.#proposals.propose(reading, turn, speaker);
      if (!replied && !added) addDay(this.tasks, reading, turn, speaker);
    }
    settleUnsure(this.tasks, turn);
  }

  #reply(reading: Reading, turn: Turn, speaker: Person): boolean {
    if (reading.isDone && this.#settle(reading, turn, speaker)) return true;
    settleReceived(this.tasks, reading, turn, speaker);
    const open = pendingFor(this.tasks, turn, speaker, this.#conversation.isGroup).filter(task =>
      mayAnswer(task, reading),
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

  #answer(task: Task, reading: Reading, turn: Turn): boolean {
    for (const one of this.tasks.filter(other => isAskedWith(task, other))) {
      one.state = 'answered';
      one.outcome = reading;
    }
    touch(task, reading, turn);
    return reading.moves.length === 0;
  }

  #accept(task: Task, reading: Reading, turn: Turn, speaker: Person): boolean {
    if (task.kind === 'question') return this.#answer(task, reading, turn);
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
    else if (reading.hour && task.when && (task.when.time === null || task.kind === 'proposal'))
      task.when = timed(task.when, reading);
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
    if (isTooVague(reading, move)) return false;
    const doer = this.#people.doerOf(move.doer, reading, speaker);
    const kind = move.act === 'request' ? 'request' : move.act === 'offer' ? 'offer' : 'promise';
    if (kind === 'request' && asksToMeet(move, reading)) return this.#proposals.propose(reading, turn, speaker);
    if (kind === 'request' && isOfProposal(this.tasks, move, reading)) return true;
    const stems = new Set(stemsOf(move, reading));
    const same = samePromise(this.tasks, { move, doer, stems }, turn, speaker);
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
    this.tasks.push({
      ...newTask(reading, turn, speaker),
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
function isOfProposal(tasks: Task[], { deed }: Move, reading: Reading): boolean {
  const isVague = deed?.isVague === true && reading.hour !== null;
  return (
    isVague && tasks.some(({ kind, when, readings }) => kind === 'proposal' && when && readings.at(-1) === reading)
  );
}
