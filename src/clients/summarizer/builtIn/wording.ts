import { shorten } from '../cleaning.ts';
import type { Conversation, Sentence } from '../conversation.ts';
import type { SummarySentence, SummaryStyle } from '../types.ts';
import { weigh } from './choosing.ts';
import type { OpenTask } from './items.ts';
import { phrase, quoted } from './phrases.ts';
import type { Turn } from './reading.ts';
import { nothingToSay } from './silence.ts';
import type { Task } from './tasks.ts';
import { capitalized } from './text.ts';
import type { Reading } from './types.ts';

const LIMITS: Record<SummaryStyle, number> = { BUSINESS: 600, DETAILED: 1200, MINIMAL: 220 };
const LONGEST_QUOTE: Record<SummaryStyle, number> = { BUSINESS: 150, DETAILED: 220, MINIMAL: 150 };

/** A sentence of the summary: what it says, what it rests on, and how much would be missed without it. */
type Fact = { text: string; readings: Reading[]; worth: number; isOpen: boolean };

/** The day in a few sentences: what came of it first, then what is left. */
export function writeSummary(
  turns: Turn[],
  tasks: Task[],
  open: OpenTask[],
  conversation: Conversation,
  style: SummaryStyle,
): SummarySentence[] {
  const facts = factsOf(turns, tasks, open, LONGEST_QUOTE[style]);
  if (facts.length === 0) return [{ text: nothingToSay(conversation), sourceMessageIds: [] }];
  let wanted = sentencesWanted(turns, facts, style);
  let chosen = choose(facts, wanted);
  while (lengthOf(chosen) > LIMITS[style] && wanted > 1) {
    wanted -= 1;
    chosen = choose(facts, wanted);
  }
  return chosen.map(({ text, readings }) => ({
    text: shorten(text, LIMITS[style]),
    sourceMessageIds: [...new Set(readings.map(({ sentence }) => sentence.utterance.messageId))],
  }));
}

function factsOf(turns: Turn[], tasks: Task[], open: OpenTask[], limit: number): Fact[] {
  const isOpen = new Set(open.map(({ task }) => task));
  const told = tasks.flatMap(task => taskFact(task, isOpen.has(task), limit) ?? []);
  const covered = new Set(told.flatMap(({ readings }) => readings));
  const said = weigh(turns)
    .filter(({ reading }) => !covered.has(reading) && !isReplyOnly(reading))
    .map(
      ({ reading, worth }): Fact => ({
        text: spoken(reading.sentence, limit),
        readings: [reading],
        worth,
        isOpen: false,
      }),
    );
  return [...told, ...said];
}

function taskFact(task: Task, isOpen: boolean, limit: number): Fact | null {
  const [first] = task.readings;
  if (!first) return null;
  const { code } = first.lexicon;
  const fact = (text: string, worth: number, readings: Reading[] = task.readings): Fact => ({
    text,
    readings,
    worth,
    isOpen,
  });
  const asks = (quote: string) =>
    phrase(code, task.doer ? 'asks' : 'says', { who: task.asker.name, to: task.doer?.name ?? '', quote });
  if (isOpen) {
    if (task.kind === 'question' || (task.kind === 'proposal' && !task.isAccepted))
      return fact(asks(quoted(first.sentence, limit)), 2.2);
    if (task.kind === 'proposal') return fact(withReply(task, first, limit), 3);
    const { deed, doer, kind, asker, isAccepted } = task;
    if (deed && !deed.isVague && doer && deed.will && (kind !== 'request' || isAccepted || asker.name === doer.name))
      return fact(sentence(`${doer.name} ${deed.will}`), 3);
    if (deed && !deed.isVague && doer && kind === 'request' && code === 'en')
      return fact(sentence(`${asker.name} asks ${doer.name} to ${deed.toDo}`), 3);
    return fact(spoken(first.sentence, limit), 2.4, [first]);
  }
  if (task.state === 'dropped' && task.outcome) {
    const decline = phrase(code, 'declines', {
      who: task.outcome.sentence.utterance.speaker,
      quote: quoted(task.outcome.sentence, limit),
    });
    return fact(`${asks(quoted(first.sentence, limit))} ${decline}`, 1.6);
  }
  if (task.state === 'done' && task.deed && task.doer && task.strength >= 0.5 && task.deed.did && !task.deed.isVague)
    return fact(sentence(`${task.doer.name} ${task.deed.did}`), 1.8);
  if (
    task.state === 'answered' &&
    task.outcome &&
    task.outcome.sentence.stems.length > 0 &&
    first.sentence.stems.length > 1
  )
    return fact(withReply(task, first, limit), 1.2, [first, task.outcome]);
  return null;
}

/** "Will do." says nothing by itself. */
function isReplyOnly({ accepts, isDone, sentence: { words, stems } }: Reading): boolean {
  return (accepts || isDone) && (words.length <= 4 || stems.length <= 1);
}

/** The question and its answer, side by side. */
function withReply(task: Task, first: Reading, limit: number): string {
  const answer =
    task.outcome ??
    task.readings.find(({ sentence }) => sentence.utterance.speaker !== first.sentence.utterance.speaker);
  const question = spoken(first.sentence, limit);
  return answer ? `${question} ${spoken(answer.sentence, limit)}` : question;
}

function spoken(said: Sentence, limit: number): string {
  return phrase(said.utterance.pack.code, 'says', { who: said.utterance.speaker, quote: quoted(said, limit) });
}

function sentence(text: string): string {
  return capitalized(/[.!?…]$/u.test(text) ? text : `${text}.`);
}

function sentencesWanted(turns: Turn[], facts: Fact[], style: SummaryStyle): number {
  if (style === 'MINIMAL') return 1;
  const open = facts.filter(({ isOpen }) => isOpen).length;
  const wanted = Math.max(1, Math.round(1 + turns.length / 12 + open / 3));
  return style === 'BUSINESS' ? Math.min(wanted, 5) : Math.min(2 * wanted + 1, 12);
}

/** The worthiest facts that don't repeat each other: what is settled or said first, then what is open, each in its order. */
function choose(facts: Fact[], wanted: number): Fact[] {
  const chosen: Fact[] = [];
  const known = new Set<string>();
  while (chosen.length < wanted) {
    let best: { fact: Fact; worth: number } | null = null;
    for (const fact of facts) {
      const worth = chosen.includes(fact) ? 0 : newWorth(fact, known);
      if (worth > (best?.worth ?? 0)) best = { fact, worth };
    }
    if (!best) break;
    chosen.push(best.fact);
    for (const { sentence: said } of best.fact.readings) for (const stem of said.stems) known.add(stem);
  }
  return chosen.toSorted(
    (one, other) => Number(one.isOpen) - Number(other.isOpen) || firstIndex(one) - firstIndex(other),
  );
}

function newWorth({ readings, worth }: Fact, known: Set<string>): number {
  const stems = readings.flatMap(({ sentence: said }) => said.stems);
  const repeated = stems.filter(stem => known.has(stem)).length / Math.max(stems.length, 1);
  return worth * (1 - 0.6 * repeated);
}

const firstIndex = ({ readings }: Fact) => Math.min(...readings.map(({ index }) => index));

function lengthOf(facts: Fact[]): number {
  return facts.reduce((sum, { text }) => sum + text.length + 1, 0);
}
