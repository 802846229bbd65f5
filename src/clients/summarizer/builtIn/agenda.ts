import type { Conversation } from '../conversation.ts';
import type { Turn } from './reading.ts';
import { isAbout } from './stems.ts';
import { firstOf, isBetter, isCalled, merged, overlap, type Person, type Task, touch } from './tasks.ts';
import type { Doer, Move, Reading } from './types.ts';

/** So many turns later a yes or no still means what was asked. */
const NEAR = 6;
/** More than people keep in mind; what came first is forgotten first. */
const MOST = 60;

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
    if (turn.utterance.forwarded) {
      this.#handOver(turn, speaker);
      return;
    }
    this.#handOver(turn, speaker);
    for (const reading of turn.readings) {
      const replied = this.#reply(reading, turn, speaker);
      let added = false;
      for (const move of reading.moves) added = this.#add(move, reading, turn, speaker) || added;
      if (!added) this.#propose(reading, turn, speaker);
      if (!replied && !added) this.#addDay(reading, turn, speaker);
    }
    this.tasks.splice(0, Math.max(0, this.tasks.length - MOST));
  }

  /** What the others asked or proposed lately and nobody has answered yet, the latest last. */
  #pending(turn: Turn, speaker: Person): Task[] {
    return this.tasks.filter(
      task =>
        task.state === 'open' &&
        task.asker.name !== speaker.name &&
        turn.index - task.lastTurn <= NEAR &&
        (task.doer === null || task.doer.name === speaker.name || task.kind !== 'promise'),
    );
  }

  #reply(reading: Reading, turn: Turn, speaker: Person): boolean {
    if (reading.isDone && !reading.sentence.isQuestion && this.#settle(reading, turn, speaker)) return true;
    const pending = this.#pending(turn, speaker);
    const open = pending.filter(({ isAccepted }) => !isAccepted);
    const target = open.findLast(task => isAbout(task.stems, reading.sentence.stems)) ?? open.at(-1);
    if (!target) return false;
    const starts = firstOf(reading);
    if (starts === 'refuses') {
      if (target.kind === 'promise') return false;
      if (target.kind === 'question') return this.#answer(target, reading, turn);
      target.state = 'dropped';
      target.outcome = reading;
      touch(target, reading, turn, false);
      return true;
    }
    if (starts === 'accepts') return this.#accept(target, reading, turn, speaker);
    const isContent = !reading.isSmallTalk && !reading.isMoment && !reading.sentence.isQuestion;
    const questions = open.filter(({ kind }) => kind === 'question' || kind === 'offer');
    const question = questions.findLast(({ stems }) => isAbout(stems, reading.sentence.stems)) ?? questions.at(-1);
    if (question && (isContent || reading.when)) return this.#answer(question, reading, turn);
    return false;
  }

  #answer(task: Task, reading: Reading, turn: Turn): boolean {
    task.state = 'answered';
    task.outcome = reading;
    touch(task, reading, turn, false);
    return reading.moves.length === 0;
  }

  #accept(task: Task, reading: Reading, turn: Turn, speaker: Person): boolean {
    if (task.kind === 'question') return this.#answer(task, reading, turn);
    task.isAccepted = true;
    if (task.kind === 'offer') task.strength = Math.max(task.strength, 0.7);
    if (task.doer === null && task.kind === 'request') {
      this.tasks.push({
        ...task,
        doer: speaker,
        strength: task.strength + 0.2,
        readings: [...task.readings, reading],
        stems: new Set(task.stems),
      });
      return true;
    }
    task.strength += 0.3;
    if (reading.when?.words && (!task.when || task.kind === 'proposal')) task.when = merged(task.when, reading.when);
    touch(task, reading, turn, true);
    return reading.moves.length === 0;
  }

  /** A file or a picture settles what its sender was to send. */
  #handOver({ utterance, index, readings }: Turn, speaker: Person): void {
    if (utterance.media === null || !['document', 'photo', 'video', 'location', 'contact'].includes(utterance.media))
      return;
    const mine = this.tasks.filter(({ state, doer, deed }) => state === 'open' && doer?.name === speaker.name && deed);
    const said = new Set(readings.flatMap(({ sentence }) => sentence.stems));
    const task =
      mine.findLast(({ stems }) => isAbout(stems, [...said])) ?? mine.findLast(({ lastTurn }) => index - lastTurn <= 3);
    if (!task) return;
    task.state = 'done';
    task.outcome = readings[0] ?? task.readings.at(-1) ?? null;
    task.lastTurn = index;
  }

  #settle(reading: Reading, turn: Turn, speaker: Person): boolean {
    const { stems } = reading.sentence;
    const mine = this.tasks.filter(
      task =>
        task.state === 'open' &&
        (task.doer?.name === speaker.name || task.doer === null) &&
        task.kind !== 'question' &&
        task.kind !== 'proposal',
    );
    const task =
      mine.findLast(({ stems: of }) => isAbout(of, stems)) ??
      mine.findLast(({ lastTurn }) => turn.index - lastTurn <= 3);
    if (!task) return false;
    task.state = 'done';
    task.outcome = reading;
    touch(task, reading, turn, false);
    return true;
  }

  #add(move: Move, reading: Reading, turn: Turn, speaker: Person): boolean {
    if (reading.isVague && move.strength < 0.7) return false;
    const doer = this.#doerOf(move.doer, reading, speaker);
    const stems = new Set(reading.sentence.stems);
    const same = this.#same(move, doer, stems, turn, speaker);
    if (same) {
      touch(same, reading, turn, false);
      same.strength = Math.max(same.strength, move.strength) + (same.asker.name === speaker.name ? 0 : 0.3);
      if (same.asker.name !== speaker.name) same.isAccepted = true;
      if (reading.when)
        same.when =
          same.when && same.asker.name !== speaker.name && !isBetter(reading.when, same.when)
            ? same.when
            : merged(same.when, reading.when);
      if (move.deed && (same.deed === null || (same.deed.isVague && !move.deed.isVague))) same.deed = move.deed;
      same.doer ??= doer;
      return true;
    }
    if (move.strength < 0.15 && move.act !== 'offer') return false;
    this.tasks.push({
      kind: move.act === 'need' || move.act === 'request' ? 'request' : move.act === 'offer' ? 'offer' : 'promise',
      asker: speaker,
      doer,
      deed: move.deed,
      readings: [reading],
      stems,
      strength: move.strength,
      when: reading.when,
      isAccepted: false,
      state: 'open',
      outcome: null,
      firstTurn: turn.index,
      lastTurn: turn.index,
    });
    return true;
  }

  /** The task that a promise or request speaks of once more. */
  #same(move: Move, doer: Person | null, stems: Set<string>, turn: Turn, speaker: Person): Task | undefined {
    const open = this.tasks.filter(task => task.state === 'open' && task.kind !== 'question');
    if (move.act === 'promise') {
      const asked = open.filter(
        task =>
          task.asker.name !== speaker.name &&
          task.kind === 'request' &&
          (task.doer === null || task.doer.name === doer?.name) &&
          turn.index - task.lastTurn <= NEAR + 2,
      );
      const about = asked.findLast(task => overlap(task.stems, stems) >= 0.5);
      const next = asked.findLast(
        task =>
          turn.index - task.lastTurn <= 2 && !task.isAccepted && (move.deed?.isVague || overlap(task.stems, stems) > 0),
      );
      if (about ?? next) return about ?? next;
    }
    return open.findLast(task => {
      const sameDoer = task.doer?.name === doer?.name;
      const shared = overlap(task.stems, stems);
      if (task.asker.name === speaker.name && sameDoer)
        return (
          shared >= 0.6 || (Boolean(move.deed?.isVague) && turn.index - task.lastTurn <= 2 && task.kind === 'promise')
        );
      return sameDoer && shared >= 0.6;
    });
  }

  #doerOf(doer: Doer, reading: Reading, speaker: Person): Person | null {
    const { names, isGroup, speakers } = this.#conversation;
    if (doer === 'speaker' || doer === 'both') return speaker;
    if (doer === 'someone') return null;
    if (typeof doer === 'object') return { name: doer.name, isUser: false };
    if (!isGroup) return speaker.isUser ? { name: names.peer, isUser: false } : { name: names.user, isUser: true };
    const called = [names.user, ...speakers].find(name => name !== speaker.name && isCalled(name, reading));
    return called === undefined ? null : { name: called, isUser: called === names.user };
  }

  /** A question or a proposal of the sentence as a whole. */
  #propose(reading: Reading, turn: Turn, speaker: Person): void {
    const { sentence, when, isMeeting, proposes, isSmallTalk, isMoment } = reading;
    if (isMoment || (isSmallTalk && !when)) return;
    const isProposal =
      when !== null && (sentence.isQuestion || proposes) && (isMeeting || proposes || sentence.words.length <= 6);
    if (!isProposal && !sentence.isQuestion) return;
    const rival = isProposal
      ? this.tasks.findLast(
          task => task.kind === 'proposal' && task.state !== 'done' && turn.index - task.lastTurn <= 8,
        )
      : undefined;
    if (rival) {
      touch(rival, reading, turn, false);
      rival.when = merged(rival.when, when);
      rival.asker = speaker;
      rival.isAccepted = false;
      rival.state = 'open';
      return;
    }
    const isPing = sentence.isQuestion && sentence.stems.length <= 1 && sentence.words.length <= 4 && !isProposal;
    if (isPing && this.#ping(reading, turn, speaker)) return;
    this.tasks.push({
      kind: isProposal ? 'proposal' : 'question',
      asker: speaker,
      doer: this.#doerOf('listener', reading, speaker),
      deed: null,
      readings: [reading],
      stems: new Set(sentence.stems),
      strength: isProposal ? 0.5 : 0.6,
      when,
      isAccepted: false,
      state: 'open',
      outcome: null,
      firstTurn: turn.index,
      lastTurn: turn.index,
    });
  }

  /** "Any news?" asks once more for what is owed. */
  #ping(reading: Reading, turn: Turn, speaker: Person): boolean {
    const owed = this.tasks.findLast(
      ({ state, doer }) => state === 'open' && doer !== null && doer.name !== speaker.name,
    );
    if (!owed) return false;
    touch(owed, reading, turn, false);
    owed.isAccepted = false;
    return true;
  }

  /** "By Wednesday, then": a day for what was just spoken of. */
  #addDay(reading: Reading, turn: Turn, speaker: Person): void {
    if (!reading.when || reading.sentence.words.length > 12) return;
    const task = this.tasks.findLast(
      ({ state, kind, lastTurn }) => state === 'open' && kind !== 'question' && turn.index - lastTurn <= 4,
    );
    if (!task) return;
    const isDoer = task.doer?.name === speaker.name || task.doer === null;
    if (task.when && !isDoer && task.kind !== 'proposal') return;
    if (task.doer === null && task.kind === 'request' && task.asker.name !== speaker.name) {
      this.#accept(task, reading, turn, speaker);
      const copy = this.tasks.at(-1);
      if (copy) copy.when = reading.when;
      return;
    }
    task.when = merged(task.when, reading.when);
    if (isDoer && task.asker.name !== speaker.name) task.isAccepted = true;
    touch(task, reading, turn, false);
  }
}
