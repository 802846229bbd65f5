import { Temporal } from 'temporal-polyfill';
import type { Conversation } from '../conversation.ts';
import type { Urgency } from '../types.ts';
import type { OpenTask } from './items.ts';
import { phrase, quoted } from './phrases.ts';
import type { Turn } from './reading.ts';
import { isAbout } from './stems.ts';
import type { Task } from './tasks.ts';
import type { Move, Reading } from './types.ts';

export type UrgencyFound = { urgency: Urgency; reason: string | null };

const LONGEST = 140;
/** A threat is news as long as nothing came of it. */
const RECENT_TURNS = 12;

/**
 * `high` when something is due on the last day, was asked for at once, or a threat or an outage stands; `medium` when something is
 * due within two days or on the next working day; `low` when anything is left to do; else `none`.
 */
export function findUrgency(open: OpenTask[], turns: Turn[], conversation: Conversation): UrgencyFound {
  const today = conversation.utterances.at(-1)?.day ?? '1970-01-01';
  const alarm = alarmIn(open, turns);
  if (alarm) return { urgency: 'high', reason: said(alarm) };
  const dueToday = open.find(({ item, task }) => item.dueDate === today && isInTalk(task, conversation));
  if (dueToday) return { urgency: 'high', reason: said(dayReading(dueToday)) };
  const near = nextWorkingDay(today);
  const dueSoon = open.find(({ item }) => item.dueDate !== null && item.dueDate <= near);
  if (dueSoon) return { urgency: 'medium', reason: said(dayReading(dueSoon)) };
  return { urgency: open.length > 0 ? 'low' : 'none', reason: null };
}

/** What one of the open tasks or the other side says that can't wait. */
function alarmIn(open: OpenTask[], turns: Turn[]): Reading | undefined {
  const urgent = open
    .flatMap(({ task }) => task.readings)
    .find(({ lexicon, folded, moves }) => !moves.some(isPromise) && isUrgent(folded, lexicon.acts));
  if (urgent) return urgent;
  const late = turns.slice(-RECENT_TURNS).flatMap(({ readings, utterance }) => (utterance.fromUser ? [] : readings));
  const threat = late.findLast(({ lexicon, folded }) => lexicon.acts.threat.test(folded));
  if (threat) return threat;
  // An alarm counts until somebody says that it is over.
  const isAlarm = ({ lexicon, folded, sentence, moves }: Reading) =>
    (!moves.some(isPromise) && isUrgent(folded, lexicon.acts)) ||
    (lexicon.acts.outage.test(folded) && !sentence.isQuestion);
  const alarm = late.findLast(isAlarm);
  if (!alarm || open.length === 0) return undefined;
  const after = turns.flatMap(({ readings }) => readings).filter(({ index }) => index > alarm.index);
  const over = after.findLastIndex(({ isDone, lexicon, folded }) => isDone || lexicon.acts.positive.test(folded));
  const isOver =
    over >= 0 &&
    !after.slice(over).some(({ lexicon: { acts }, folded }) => acts.negative.test(folded) || acts.threat.test(folded));
  const concerns =
    isUrgent(alarm.folded, alarm.lexicon.acts) || open.some(({ task }) => isAbout(task.stems, alarm.sentence.stems));
  return isOver || !concerns ? undefined : alarm;
}

/** "I'll hand it on right away" hurries nobody else. */
function isPromise({ act, doer }: Move): boolean {
  return act === 'promise' && doer === 'speaker';
}

function isUrgent(folded: string, acts: Reading['lexicon']['acts']): boolean {
  const found = acts.urgent.exec(folded);
  return found !== null && !acts.negation.test(folded.slice(0, found.index).split(' ').slice(-3).join(' '));
}

function dayReading({ task }: OpenTask): Reading | undefined {
  return task.readings.findLast(({ when }) => when !== null) ?? task.readings[0];
}

function said(reading: Reading | undefined): string | null {
  if (!reading) return null;
  const { utterance } = reading.sentence;
  return phrase(utterance.pack.code, 'says', { who: utterance.speaker, quote: quoted(reading.sentence, LONGEST) });
}

/** One of those who talk is to act: what a colleague of theirs does today presses nobody. */
function isInTalk({ doer }: Task, { speakers, names }: Conversation): boolean {
  return doer === null || doer.name === names.user || doer.name === names.peer || speakers.includes(doer.name);
}

/** Two days ahead, or over the weekend. */
function nextWorkingDay(today: string): string {
  const day = Temporal.PlainDate.from(today);
  return day.add({ days: day.dayOfWeek >= 5 ? 8 - day.dayOfWeek : 2 }).toString();
}
