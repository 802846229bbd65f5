import type { Conversation } from '../conversation.ts';
import type { Turn } from './reading.ts';
import { isAbout } from './stems.ts';
import {
  closing,
  copyFor,
  firstOf,
  isCalled,
  isJoking,
  merged,
  type Person,
  samePromise,
  type Task,
  touch,
} from './tasks.ts';
import type { Doer, Move, Reading } from './types.ts';

/** So many turns later a yes or no still means what was asked. */
const NEAR = 6;
/** More than people keep in mind; what came first is forgotten first. */
const MOST = 60;
/** "… isn't it?" asks for a nod. */
const TAG =
  /[, ](?:you know|right|huh|eh|ok|okay|yeah|will you|isn't it|aren't you|don't you|doesn't it|didn't you|oder|nicht wahr|gell|да|verdad|no|né|n'est-ce pas|değil mi|prawda)\?+$/u;
const HANDED_OVER = ['document', 'photo', 'video', 'location', 'contact'];

/** Goes through the turns and keeps account of what is to do. */
export function readAgenda(turns: Turn[], conversation: Conversation): Task[] {
  const agenda = new Agenda(conversation);
  for (const turn of turns) agenda.hear(turn);
  return agenda.tasks;
}

class Agenda {
  readonly tasks: Task[] = [];
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  hear(turn: Turn): void {
    const speaker = { name: turn.utterance.speaker, isUser: turn.utterance.fromUser };
    this.#handOver(turn, speaker);
    if (turn.utterance.forwarded) return;
    for (const reading of turn.readings) {
      const replied = this.#reply(reading, turn, speaker);
      let added = false;
      for (const move of reading.moves) added = this.#add(move, reading, turn, speaker) || added;
      if (!added) added = this.#propose(reading, turn, speaker);
      if (!replied && !added) this.#addDay(reading, turn, speaker);
    }
    this.tasks.splice(0, Math.max(0, this.tasks.length - MOST));
  }

  /** What the others asked or proposed lately and nobody has answered yet, the latest last. */
  #pending(turn: Turn, speaker: Person): Task[] {
    return this.tasks.filter(
      ({ state, isAccepted, asker, doer, kind, lastTurn, isForAll }) =>
        state === 'open' &&
        (!isAccepted || isForAll) &&
        asker.name !== speaker.name &&
        kind !== 'promise' &&
        turn.index - lastTurn <= NEAR &&
        (doer === null || doer.name === speaker.name || doer.name === asker.name),
    );
  }

  #reply(reading: Reading, turn: Turn, speaker: Person): boolean {
    if (reading.isDone && !reading.sentence.isQuestion && this.#settle(reading, turn, speaker)) return true;
    const open = this.#pending(turn, speaker);
    const target = open.findLast(task => isAbout(task.stems, reading.sentence.stems)) ?? open.at(-1);
    if (!target) return false;
    const first = firstOf(reading);
    if (first === 'refuses') {
      if (target.kind === 'question') return this.#answer(target, reading, turn);
      target.state = 'dropped';
      target.outcome = reading;
      touch(target, reading, turn);
      return true;
    }
    if (first === 'accepts') return this.#accept(target, reading, turn, speaker);
    const isContent =
      (!reading.isSmallTalk || reading.when !== null) && !reading.isMoment && !reading.sentence.isQuestion;
    const asked = open.filter(({ kind, isQuestion }) => kind === 'question' || kind === 'offer' || isQuestion);
    const question = asked.findLast(({ stems }) => isAbout(stems, reading.sentence.stems)) ?? asked.at(-1);
    if (!question || !isContent || (question.kind === 'request' && reading.moves.length > 0)) return false;
    if (question.kind === 'proposal' && reading.when) return false;
    return this.#answer(question, reading, turn);
  }

  #answer(task: Task, reading: Reading, turn: Turn): boolean {
    task.state = 'answered';
    task.outcome = reading;
    touch(task, reading, turn);
    return reading.moves.length === 0;
  }

  #accept(task: Task, reading: Reading, turn: Turn, speaker: Person): boolean {
    if (task.kind === 'question') return this.#answer(task, reading, turn);
    if (task.isForAll) {
      this.tasks.push(copyFor(task, speaker, reading, turn));
      return true;
    }
    task.isAccepted = true;
    task.doer ??= speaker;
    task.strength += 0.3;
    if (reading.when && (!task.when || task.kind === 'proposal')) task.when = merged(task.when, reading.when);
    touch(task, reading, turn);
    return reading.moves.length === 0;
  }

  /** A file or a picture settles what its sender was to send. */
  #handOver({ utterance, index, readings }: Turn, speaker: Person): void {
    if (utterance.media === null || !HANDED_OVER.includes(utterance.media)) return;
    const said = readings.flatMap(({ sentence }) => sentence.stems);
    const task = closing(this.tasks, speaker, said, index, 8);
    if (!task) return;
    task.state = 'done';
    task.outcome = readings[0] ?? task.readings.at(-1) ?? null;
    task.lastTurn = index;
  }

  #settle(reading: Reading, turn: Turn, speaker: Person): boolean {
    const task = closing(this.tasks, speaker, reading.sentence.stems, turn.index, 4);
    if (!task) return false;
    if (task.isForAll) {
      this.tasks.push({ ...copyFor(task, speaker, reading, turn), state: 'done', outcome: reading });
      return true;
    }
    task.state = 'done';
    task.outcome = reading;
    task.doer ??= speaker;
    touch(task, reading, turn);
    return true;
  }

  #add(move: Move, reading: Reading, turn: Turn, speaker: Person): boolean {
    const { when } = move;
    if (reading.isVague && !when) return false;
    const doer = this.#doerOf(move.doer, reading, speaker);
    const kind = move.act === 'need' || move.act === 'request' ? 'request' : move.act === 'offer' ? 'offer' : 'promise';
    const isMeeting = kind === 'request' && reading.sentence.isQuestion && when !== null && move.deed?.isVague;
    if (isMeeting) return this.#propose(reading, turn, speaker);
    const stems = new Set(reading.sentence.stems);
    const same = samePromise(this.tasks, { move, doer, stems }, turn, speaker);
    if (same) {
      const isReply = same.asker.name !== speaker.name;
      touch(same, reading, turn);
      same.strength = Math.max(same.strength, move.strength) + (isReply ? 0.3 : 0);
      if (isReply) same.isAccepted = true;
      if (when && !(isReply && same.when && when.date < same.when.date && !when.isHour))
        same.when = merged(same.when, when);
      if (move.deed && (same.deed === null || (same.deed.isVague && !move.deed.isVague))) same.deed = move.deed;
      same.doer ??= doer;
      return true;
    }
    const strength =
      move.strength -
      (isJoking(reading, turn) && !when ? 0.4 : 0) -
      (move.deed?.isVague && kind === 'request' && !when ? 0.25 : 0);
    if (strength < 0.1) return false;
    const isForAll =
      this.#conversation.isGroup && move.doer === 'listener' && doer === null && !reading.sentence.isQuestion;
    this.tasks.push({
      ...this.#task(reading, turn, speaker),
      kind,
      doer,
      deed: move.deed,
      stems,
      strength,
      when,
      isForAll,
    });
    return true;
  }

  #task(reading: Reading, turn: Turn, asker: Person): Task {
    return {
      kind: 'question',
      asker,
      doer: null,
      deed: null,
      readings: [reading],
      stems: new Set(reading.sentence.stems),
      strength: 0.6,
      when: null,
      isQuestion: reading.sentence.isQuestion,
      isAccepted: false,
      isForAll: false,
      state: 'open',
      outcome: null,
      firstTurn: turn.index,
      lastTurn: turn.index,
    };
  }

  #doerOf(doer: Doer, reading: Reading, speaker: Person): Person | null {
    const { names, isGroup, speakers } = this.#conversation;
    if (doer === 'speaker' || doer === 'both') return speaker;
    if (doer === 'someone') return null;
    if (typeof doer === 'object') return { name: /^\p{Lu}/u.test(doer.name) ? doer.name : names.peer, isUser: false };
    if (!isGroup) return speaker.isUser ? { name: names.peer, isUser: false } : { name: names.user, isUser: true };
    const called = [names.user, ...speakers].find(name => name !== speaker.name && isCalled(name, reading));
    return called === undefined ? null : { name: called, isUser: called === names.user };
  }

  /** A question or a proposal of the sentence as a whole. */
  #propose(reading: Reading, turn: Turn, speaker: Person): boolean {
    const { sentence, when, isMeeting, proposes, isSmallTalk, isMoment, isJoke } = reading;
    if (isMoment || (isSmallTalk && !when)) return false;
    const isShort = sentence.words.length <= 7;
    const isProposal = when !== null && (sentence.isQuestion || proposes) && (isMeeting || proposes || isShort);
    if (!isProposal && (!sentence.isQuestion || TAG.test(reading.folded))) return false;
    if (isProposal && this.#moveDay(reading, turn, speaker)) return true;
    const isPing = sentence.isQuestion && sentence.words.length <= 4 && !isProposal && sentence.stems.length <= 2;
    if (isPing && this.#ping(reading, turn, speaker)) return true;
    const doer = this.#doerOf('listener', reading, speaker);
    const task = this.#task(reading, turn, speaker);
    this.tasks.push({
      ...task,
      kind: isProposal ? 'proposal' : 'question',
      doer,
      when: isProposal ? when : null,
      strength: isJoke ? 0.3 : 0.6,
    });
    return true;
  }

  /** Another day for what was proposed before. */
  #moveDay(reading: Reading, turn: Turn, speaker: Person): boolean {
    const rival = this.tasks.findLast(
      ({ kind, state, lastTurn }) => kind === 'proposal' && state !== 'done' && turn.index - lastTurn <= 8,
    );
    if (!rival) return false;
    const isShort = reading.sentence.words.length <= 8;
    if (!isShort && !(reading.isMeeting && !rival.isAccepted) && !isAbout(rival.stems, reading.sentence.stems))
      return false;
    touch(rival, reading, turn);
    rival.when = merged(rival.when, reading.when);
    rival.asker = speaker;
    rival.doer = this.#doerOf('listener', reading, speaker);
    rival.isAccepted = false;
    rival.state = 'open';
    return true;
  }

  /** "Any news?", "Ruth?": asks once more for what is owed. */
  #ping(reading: Reading, turn: Turn, speaker: Person): boolean {
    const called = this.#conversation.isGroup ? this.#doerOf('listener', reading, speaker) : null;
    const isOwed = ({ state, doer, asker, kind }: Task) =>
      called
        ? asker.name === speaker.name && kind !== 'promise'
        : state === 'open' && doer !== null && doer.name !== speaker.name;
    const owed = this.tasks.findLast(isOwed);
    if (!owed || (called && reading.sentence.words.length > 2)) return false;
    touch(owed, reading, turn);
    owed.isAccepted = false;
    if (called) Object.assign(owed, { state: 'open', doer: called, isForAll: false });
    return true;
  }

  /** "By Wednesday, then": a day for what was just spoken of. */
  #addDay(reading: Reading, turn: Turn, speaker: Person): void {
    if (!reading.when || reading.sentence.words.length > 12 || reading.isConditional) return;
    const task = this.tasks.findLast(
      ({ state, kind, lastTurn }) => state === 'open' && kind !== 'question' && turn.index - lastTurn <= 3,
    );
    if (!task) return;
    if (task.isForAll && task.asker.name !== speaker.name) {
      this.tasks.push({ ...copyFor(task, speaker, reading, turn), when: reading.when });
      return;
    }
    const isDoer = task.doer?.name === speaker.name || task.doer === null;
    if (task.when && !isDoer && task.kind !== 'proposal') return;
    task.when = merged(task.when, reading.when);
    if (isDoer && task.asker.name !== speaker.name) task.isAccepted = true;
    touch(task, reading, turn);
  }
}
