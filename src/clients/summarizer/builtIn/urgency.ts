import { Temporal } from 'temporal-polyfill';
import type { Conversation } from '../conversation.ts';
import type { Urgency } from '../types.ts';
import { lastWords } from '../words.ts';
import type { OpenTask } from './items.ts';
import { phrase, quoted, quotedAll } from './phrases.ts';
import type { Turn } from './reading.ts';
import { WEEK } from './replies.ts';
import { isAbout } from './stems.ts';
import type { Task } from './tasks.ts';
import type { Move, Reading } from './types.ts';

export type UrgencyFound = { urgency: Urgency; reason: string | null };

type Pressure = { urgency: Urgency; reading: Reading | undefined };

const LONGEST = 140;
/** A threat or an outage is news for this many turns. */
const RECENT_TURNS = 12;
const ORDER: Urgency[] = ['none', 'low', 'medium', 'high'];

/**
 * `high` when something is due on the last day and isn't merely the other side's own promise, is wanted at once, or is
 * wanted within two working days with consequences otherwise, or when a threat or an outage stands; `medium` when
 * something is due within two days or on the next working day, the other side needs what it asked for within three, or
 * asks about an outage, or when the week ahead is full; else `low` when anything is left to do. What is said to be in
 * no hurry is `low`.
 */
export function findUrgency(open: OpenTask[], turns: Turn[], conversation: Conversation): UrgencyFound {
  const today = conversation.utterances.at(-1)?.day ?? '1970-01-01';
  const pressing = open.filter(({ task }) => !isUnhurried(task, turns));
  const alarm = alarmIn(pressing, turns, today);
  if (alarm) return { urgency: 'high', reason: said(alarm) };
  const most = pressing
    .map(one => pressureOf(one, turns, conversation))
    .reduce<Pressure | null>((one, other) => (one && rank(one) >= rank(other) ? one : other), null);
  if (most && rank(most) > ORDER.indexOf('low')) return { urgency: most.urgency, reason: said(most.reading) };
  const busy = busyWeek(pressing, today);
  if (busy) return { urgency: 'medium', reason: said(busy) };
  return { urgency: open.length > 0 ? 'low' : 'none', reason: null };
}

/** The first of several tasks in the week ahead: none is pressing, but together they make it full. */
function busyWeek(open: OpenTask[], today: string): Reading | undefined {
  const day = Temporal.PlainDate.from(today);
  const due = open
    .flatMap(({ item: { dueDate }, task }) => (dueDate === null ? [] : [{ dueDate, task }]))
    .toSorted((one, other) => one.dueDate.localeCompare(other.dueDate));
  const [first, second] = due;
  const within = (date: string | undefined, days: number) => date !== undefined && date <= day.add({ days }).toString();
  const isBusy = within(second?.dueDate, 7) || (open.length >= 3 && within(first?.dueDate, 6));
  return isBusy ? (first?.task.readings.findLast(({ when }) => when !== null) ?? first?.task.readings[0]) : undefined;
}

const rank = ({ urgency }: Pressure) => ORDER.indexOf(urgency);

function pressureOf({ item, task }: OpenTask, turns: Turn[], conversation: Conversation): Pressure {
  const today = conversation.utterances.at(-1)?.day ?? '1970-01-01';
  const about = aroundOf(task, turns);
  const isAsked = task.kind !== 'promise' && !task.isAccepted && !task.asker.isUser;
  // A request without a day is due with what is said around it: "the form has to be there by Monday".
  const mayDate = ({ sentence }: Reading) => task.kind !== 'question' || !sentence.isQuestion;
  const near = task.kind === 'promise' ? null : earliest(about.filter(mayDate), today);
  const dated = task.readings.findLast(({ when }) => when !== null);
  const date = item.dueDate ?? near?.date ?? null;
  const reading = item.dueDate === null ? near?.reading : (dated ?? task.readings[0]);
  const isSometime = WEEK.test(item.dueText ?? '');
  const isOwnWill = (task.kind === 'promise' || task.isAccepted) && task.kind !== 'proposal' && item.owner !== 'user';
  if (date === today && !isSometime && (item.dueDate !== null || isAsked) && isInTalk(task, conversation) && !isOwnWill)
    return { urgency: 'high', reading };
  const risk = about.find(reading => isRisk(reading, about));
  if (date === today && risk) return { urgency: 'high', reading: risk };
  // A deadline that users set for today is theirs to watch.
  if (near?.date === today && task.asker.isUser && near.reading.moves.some(isAsking))
    return { urgency: 'high', reading: near.reading };
  if (date !== null && risk && isAsked && date <= workingDays(today, 2)) return { urgency: 'high', reading: risk };
  if (date !== null && (date <= nextWorkingDay(today) || (risk && date <= workingDays(today, 3))))
    return { urgency: 'medium', reading };
  if (date !== null && isAsked && date <= workingDays(today, 3)) return { urgency: 'medium', reading };
  const asksAboutOutage = ({ lexicon, folded, sentence }: Reading) =>
    sentence.isQuestion && lexicon.acts.outage.test(folded);
  const pointed = isAsked ? task.readings.find(asksAboutOutage) : undefined;
  return pointed ? { urgency: 'medium', reading: pointed } : { urgency: 'low', reading: undefined };
}

/** The earliest day from today on that they name. */
function earliest(readings: Reading[], today: string): { date: string; reading: Reading } | null {
  const days = readings.flatMap(reading =>
    [reading.when, ...reading.moves.map(({ when }) => when)].flatMap(when =>
      when ? { date: when.date, reading } : [],
    ),
  );
  const [first] = days.filter(({ date }) => date >= today).toSorted((one, other) => one.date.localeCompare(other.date));
  return first ?? null;
}

/** What its asker said in the messages right around a task. */
function aroundOf({ asker, firstTurn, lastTurn, readings }: Task, turns: Turn[]): Reading[] {
  const isTheirs = (turn: Turn | undefined) => turn?.utterance.speaker === asker.name;
  const day = readings[0]?.sentence.utterance.day;
  let [from, to] = [firstTurn, firstTurn];
  while (firstTurn - from < 2 && isTheirs(turns[from - 1])) from -= 1;
  // "They close at five" – "Which version?" – "The green one": what a question back is about belongs to the task.
  if (asksBack(turns[from - 1]) && isTheirs(turns[from - 2])) from -= 2;
  while (to - firstTurn < 2 && isTheirs(turns[to + 1])) to += 1;
  const around = turns.filter(({ index }) => (index >= from && index <= to) || index === lastTurn);
  return around
    .filter(({ utterance }) => utterance.day === day && !utterance.forwarded)
    .flatMap(({ readings: of }) => of);
}

function asksBack(turn: Turn | undefined): boolean {
  return turn?.readings.at(-1)?.sentence.isQuestion ?? false;
}

/** "Otherwise we lose the permit": said of a deadline in the same breath. */
function isRisk({ lexicon, folded, sentence }: Reading, around: Reading[]): boolean {
  return (
    !sentence.utterance.fromUser &&
    !sentence.isQuestion &&
    lexicon.acts.consequence.test(folded) &&
    around.some(({ when }) => when !== null)
  );
}

/** A courtesy, or a question whether something is possible: neither makes it less urgent. */
const IF_POSSIBLE =
  /if possible|si (?:es |fuera )?posible|si (?:c'est )?possible|se (?:è )?possibile|se (?:for |é )?possível|wenn (?:es )?(?:möglich|geht)|falls möglich|если (?:это )?возможно|якщо (?:це )?можливо|jeśli (?:to )?możliwe|mümkünse/gu;

/** Said with the task, or after it by whoever asked. For a promise, only its recipient can say so, right after it. */
function isUnhurried({ asker, firstTurn, kind, readings }: Task, turns: Turn[]): boolean {
  const calms = ({ lexicon, folded }: Reading) => lexicon.acts.noHurry.test(folded.replace(IF_POSSIBLE, ''));
  const isAskers = ({ utterance }: Turn) => utterance.speaker === asker.name;
  const later =
    kind === 'promise'
      ? turns.slice(firstTurn + 1, firstTurn + 3).filter(turn => !isAskers(turn))
      : turns.slice(firstTurn).filter(isAskers);
  return readings.some(calms) || later.some(({ readings: of }) => of.some(calms));
}

/** What can't wait, according to one of the open tasks or to the other side. */
function alarmIn(open: OpenTask[], turns: Turn[], today: string): Reading | undefined {
  const urgent = open.flatMap(({ task }) => task.readings).find(isUrgent);
  if (urgent) return urgent;
  const late = turns.slice(-RECENT_TURNS).flatMap(({ readings, utterance }) => (utterance.fromUser ? [] : readings));
  const threat = late.findLast(({ lexicon, folded }) => lexicon.acts.threat.test(folded));
  if (threat) return threat;
  // An alarm counts until someone says that it is over.
  const isOutage = ({ lexicon, folded, sentence }: Reading) =>
    lexicon.acts.outage.test(sentence.isQuestion ? beforeQuestion(folded, lexicon) : folded);
  const concerns = (reading: Reading) =>
    (isOutage(reading) && reading.sentence.utterance.day === today) ||
    (open.length > 0 && isUrgent(reading)) ||
    (isOutage(reading) && open.some(({ task }) => isAbout(task.stems, reading.sentence.stems)));
  const alarm = late.findLast(concerns);
  return alarm && !isOver(alarm, turns) ? alarm : undefined;
}

/** "The cellar is flooded, where is your plumber?" */
function beforeQuestion(folded: string, { acts }: Reading['lexicon']): string {
  return acts.question.test(folded) ? '' : folded.slice(0, Math.max(0, folded.lastIndexOf(',')));
}

function isOver(alarm: Reading, turns: Turn[]): boolean {
  const after = turns.flatMap(({ readings }) => readings).filter(({ index }) => index > alarm.index);
  const over = after.findLastIndex(({ isDone, lexicon, folded }) => isDone || lexicon.acts.positive.test(folded));
  const isBad = ({ lexicon: { acts }, folded }: Reading) => acts.negative.test(folded) || acts.threat.test(folded);
  return over >= 0 && !after.slice(over).some(isBad);
}

/** "I'll hand it on right away" makes nothing urgent for anyone else. */
function isPromise({ act, doer }: Move): boolean {
  return act === 'promise' && doer === 'speaker';
}

function isAsking({ act }: Move): boolean {
  return act === 'request' || act === 'need';
}

function isUrgent({ folded, lexicon: { acts }, moves, sentence }: Reading): boolean {
  const found = acts.urgent.exec(folded);
  if (found === null || acts.noHurry.test(folded) || moves.some(isPromise)) return false;
  // Users need no warning about what they do at once themselves.
  if (sentence.utterance.fromUser && moves.length === 0) return false;
  return !acts.negation.test(lastWords(folded.slice(0, found.index), 3));
}

function said(reading: Reading | undefined): string | null {
  if (!reading) return null;
  const { utterance, words } = reading.sentence;
  const { sentences, pack, speaker } = utterance;
  const at = sentences.indexOf(reading.sentence);
  const before = sentences[at - 1];
  // "In writing please. Today."
  const quote =
    before && words.length <= 2 ? quotedAll(before, [reading.sentence], LONGEST) : quoted(reading.sentence, LONGEST);
  return phrase(pack.code, 'says', { who: speaker, quote });
}

/** Whether someone in the conversation has to act: what a colleague does today is not urgent. */
function isInTalk({ doer }: Task, { speakers, names }: Conversation): boolean {
  return doer === null || doer.name === names.user || doer.name === names.peer || speakers.includes(doer.name);
}

/** Two days ahead, or over the weekend. */
function nextWorkingDay(today: string): string {
  const day = Temporal.PlainDate.from(today);
  return day.add({ days: day.dayOfWeek >= 5 ? 8 - day.dayOfWeek : 2 }).toString();
}

function workingDays(today: string, count: number): string {
  let day = Temporal.PlainDate.from(today);
  for (let left = count; left > 0; left -= day.dayOfWeek <= 5 ? 1 : 0) day = day.add({ days: 1 });
  return day.toString();
}
