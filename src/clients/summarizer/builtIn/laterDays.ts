import { NO_FIRST } from './firstWords.ts';
import type { Turn } from './reading.ts';
import { isOfDay, isOnSameDay } from './replies.ts';
import { isAbout } from './stems.ts';
import { copyFor, dated, type Person, type Task, touch } from './tasks.ts';
import type { Reading } from './types.ts';
import type { When } from './when.ts';

/** "Can you send it by Friday?" – "Not before Monday": a reply of little more than a day. */
export function isDayGiven({ kind, isQuestion }: Task, { sentence, when, moves }: Reading): boolean {
  if (kind !== 'request' || !isQuestion || !when || when.isHour) return false;
  const others = sentence.stems.filter(stem => !isOfDay(stem, when) && !/\d/.test(stem));
  return !sentence.isQuestion && moves.length === 0 && others.length <= 1 && sentence.words.length <= 6;
}

/** "By Wednesday, then": a day for what was just mentioned. */
export function addDay(tasks: Task[], reading: Reading, turn: Turn, speaker: Person): void {
  const isWish = reading.isSmallTalk && reading.sentence.words.length > 2;
  if (reading.when?.time && !reading.isConditional && addHour(tasks, reading, reading.when, turn)) return;
  if (!reading.when || isWish || reading.isConditional) return;
  if (reading.sentence.words.length > 12) return;
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
  const others = reading.sentence.stems.filter(stem => !isOfDay(stem, reading.when) && !isAbout(task.stems, [stem]));
  if (others.length > (task.when && task.kind !== 'proposal' ? 0 : 2)) return;
  if (task.when && !isDoer && task.kind !== 'proposal' && task.lastTurn !== turn.index) return;
  task.when = dated(task, reading.when);
  if (isDoer && task.asker.name !== speaker.name && !task.isAccepted) {
    task.isAccepted = true;
    task.strength += 0.3;
  }
  touch(task, reading, turn);
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

/** Messages after it in which whoever named a day may take it back, if no one else has spoken. */
const CORRECTED_NEAR = 2;

/** "No wait, I'm not here then. Friday is enough": another day for what its speaker just asked for or promised. */
export function correctDay(tasks: Task[], reading: Reading, turn: Turn, speaker: Person): boolean {
  const { index, readings, spokeBefore } = turn;
  const { when, moves, sentence } = reading;
  if (!when || when.isHour || moves.length > 0) return false;
  const isTakenBack = readings.some(
    ({ sentence: said, index: at }) => at <= reading.index && NO_FIRST.test(said.folded),
  );
  if (!isTakenBack) return false;
  const isOwn = ({ state, asker, readings: said, lastTurn, when: before }: Task) =>
    state === 'open' &&
    asker.name === speaker.name &&
    before !== null &&
    before.date !== when.date &&
    lastTurn > spokeBefore &&
    index - lastTurn <= CORRECTED_NEAR &&
    said.at(-1)?.sentence.utterance.speaker === speaker.name;
  const task = tasks.findLast(isOwn);
  if (!task) return false;
  // "Friday?" asks anew.
  if (sentence.isQuestion) {
    task.state = 'dropped';
    return false;
  }
  task.when = when;
  touch(task, reading, turn);
  return true;
}
