import type { Turn } from './reading.ts';
import { isOfDay, isOnSameDay } from './replies.ts';
import { isAbout } from './stems.ts';
import { copyFor, dated, merged, type Person, type Task, touch } from './tasks.ts';
import type { Move, Reading } from './types.ts';
import type { When } from './when.ts';

/** "I need it before three": a day for what is already promised. */
export function hurry(tasks: Task[], reading: Reading, when: When, doer: Person | null, turn: Turn): boolean {
  const owed = tasks.findLast(
    ({ state, kind, doer: of, lastTurn }) =>
      state === 'open' && kind !== 'question' && of !== null && of.name === doer?.name && turn.index - lastTurn <= 3,
  );
  if (!owed) return false;
  owed.when = merged(owed.when, when);
  owed.strength = Math.max(owed.strength, 0.6);
  touch(owed, reading, turn);
  return true;
}

/** "I need the letter" – "I'll have to look for it. Over the weekend OK?": a day for what is owed, and no appointment. */
export function datesOwed(tasks: Task[], reading: Reading, turn: Turn, speaker: Person): boolean {
  const { sentence, when } = reading;
  if (!sentence.isQuestion || sentence.stems.length === 0 || sentence.stems.some(stem => !isOfDay(stem, when)))
    return false;
  const owed = tasks.findLast(
    ({ state, kind, doer, asker, lastTurn }) =>
      state === 'open' &&
      kind === 'request' &&
      doer?.name === speaker.name &&
      asker.name !== speaker.name &&
      turn.index - lastTurn <= OWED_NEAR,
  );
  if (!owed) return false;
  owed.when = merged(owed.when, when);
  owed.isAccepted = true;
  owed.strength += 0.3;
  touch(owed, reading, turn);
  return true;
}

/** "Will do" – "By the 11th?" – "Yes": dates what the speaker has taken on by the day that was asked about. */
export function datesAsked(tasks: Task[], { kind, readings: [asked] }: Task, reading: Reading, turn: Turn): void {
  if (kind !== 'question' || !asked || !asksDay(asked)) return;
  const day = reading.when ?? (reading.accepts && !reading.refuses ? asked.when : null);
  const owed = tasks.findLast(
    ({ state, kind: of, doer, lastTurn }) =>
      state === 'open' &&
      (of === 'promise' || of === 'offer') &&
      doer?.name === turn.utterance.speaker &&
      turn.index - lastTurn <= OWED_NEAR + 2,
  );
  if (!owed || !day) return;
  owed.when = merged(owed.when, day);
  if (owed.kind === 'offer' && !owed.isAccepted)
    Object.assign(owed, { isAccepted: true, strength: owed.strength + 0.3 });
  touch(owed, reading, turn);
}

/** "Can you send it by Friday?" – "Not before Monday": a reply of little more than a day. English is read otherwise. */
export function isDayGiven({ kind, isQuestion }: Task, { sentence, when, moves, lexicon }: Reading): boolean {
  if (kind !== 'request' || !isQuestion || !when || when.isHour || lexicon.hasTagger) return false;
  const others = sentence.stems.filter(stem => !isOfDay(stem, when) && !/\d/.test(stem));
  return !sentence.isQuestion && moves.length === 0 && others.length <= 1 && sentence.words.length <= 6;
}

/** "Wednesday after eleven?", "by the 11th, realistically?" */
export function asksDay({ sentence, when }: Reading): boolean {
  const others = sentence.stems.filter(stem => !isOfDay(stem, when) && !/\d/.test(stem));
  return sentence.isQuestion && when !== null && others.length <= 1 && sentence.words.length <= 6;
}

/** For this many turns after a request, a day that is asked about is the day of the request. */
const OWED_NEAR = 2;

/** "By Wednesday, then": a day for what was just mentioned. */
export function addDay(tasks: Task[], reading: Reading, turn: Turn, speaker: Person): void {
  const isWish = reading.isSmallTalk && reading.sentence.words.length > 2;
  if (reading.when?.time && !reading.isConditional && addHour(tasks, reading, reading.when, turn)) return;
  if (!reading.when || isWish || reading.isConditional) return;
  if (reading.sentence.words.length > (opensWithDay(reading) ? 20 : 12)) return;
  const task = tasks.findLast(
    task =>
      task.state === 'open' &&
      task.kind !== 'question' &&
      turn.index - task.lastTurn <= 3 &&
      isOnSameDay(task, reading),
  );
  if (!task) return;
  if (task.isForAll && task.asker.name !== speaker.name) {
    tasks.push({ ...copyFor(task, speaker, reading, turn), when: reading.when });
    return;
  }
  const isDoer = task.doer?.name === speaker.name || task.doer === null;
  if (!isDoer && task.kind !== 'proposal' && task.asker.name !== speaker.name && isOfOwnWish(reading, turn)) return;
  const others = reading.sentence.stems.filter(stem => !isOfDay(stem, reading.when) && !isAbout(task.stems, [stem]));
  // "Yes please. By Monday, and with the name of the firm on it"
  const isFirst = task.lastTurn === turn.index && task.when === null && opensWithDay(reading);
  if (others.length > (task.when && task.kind !== 'proposal' ? 0 : 2) && !isFirst) return;
  if (task.when && !isDoer && task.kind !== 'proposal' && task.lastTurn !== turn.index) return;
  task.when = dated(task, reading.when);
  if (isDoer && task.asker.name !== speaker.name && !task.isAccepted) {
    task.isAccepted = true;
    task.strength += 0.3;
  }
  touch(task, reading, turn);
}

/** "In writing, please. Today." dates what it says itself; before "By Friday, please." there is only a yes: "Great." */
function isOfOwnWish(reading: Reading, { readings }: Turn): boolean {
  const before = readings[readings.indexOf(reading) - 1];
  return before !== undefined && !before.isSmallTalk && !before.accepts && !before.isMoment;
}

/** "About the draft: the meeting is on Monday at 9": adds the hour to a task that is due on that day. */
function addHour(tasks: Task[], reading: Reading, { date, time }: When, turn: Turn): boolean {
  const task = tasks.findLast(
    ({ state, kind, when, stems }) =>
      state === 'open' &&
      (kind === 'request' || kind === 'promise') &&
      when?.date === date &&
      when.time === null &&
      isAbout(stems, reading.sentence.stems),
  );
  if (!task?.when) return false;
  task.when = { ...task.when, time };
  touch(task, reading, turn);
  return true;
}

/** "Caio sends you the list today" – "I will": the day of what is taken up. English resolves it itself. */
export function dayTakenUp({ deed }: Move, { sentence, lexicon }: Reading, heard: Reading[]): When | null {
  const before = heard.at(-1);
  if (lexicon.hasTagger || !deed?.isVague || !before || sentence.words.length > TAKES_UP) return null;
  return before.sentence.utterance.speaker === sentence.utterance.speaker ? null : before.when;
}

/** The most words of a reply that only takes up what the other side just said. */
const TAKES_UP = 4;

/** "By Monday …", "Until Friday …" */
function opensWithDay({ folded, when, lexicon }: Reading): boolean {
  const at = when ? folded.indexOf(when.words.toLowerCase()) : -1;
  return lexicon.hasTagger && at >= 0 && at <= LONGEST_BY;
}

/** Characters of "until". */
const LONGEST_BY = 6;
