import { shorten } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import { lexiconOf } from '../languages/lexicon.ts';
import type { SummarySentence, SummaryStyle } from '../types.ts';
import { FIGURE } from './choosing.ts';
import type { Fact } from './fact.ts';
import { factsOf } from './facts.ts';
import type { OpenTask } from './items.ts';
import { mediaNote } from './media.ts';
import { phrase } from './phrases.ts';
import { dayLabel, dayOf, recency, sinceNote } from './range.ts';
import { isOfTwoDays, isOfTwoTalks, type Turn } from './reading.ts';
import { nothingToSay } from './silence.ts';
import type { Task } from './tasks.ts';
import { codeOf } from './telling.ts';
import { asSentence } from './text.ts';
import type { Reading } from './types.ts';

const LIMITS: Record<SummaryStyle, number> = { BUSINESS: 600, DETAILED: 1200, MINIMAL: 220 };
const LONGEST_QUOTE: Record<SummaryStyle, number> = { BUSINESS: 130, DETAILED: 220, MINIMAL: 140 };
/** How much of its worth a fact loses if it only repeats what is already chosen. */
const REPETITION = 0.6;
/** A fact below this share of the worth of the best one of its kind only fills the summary. */
const NEXT_BEST = 0.45;
const FURTHER_BEST = 0.35;
/** The most sentences about what is left to do. */
const MOST = 5;
const MOST_OF_SEVERAL_DAYS = 3;
/** With this many turns on the days before, a single sentence says too little about them. */
const LONG = 20;
/** With this many turns, a day may deserve more than one sentence. */
const SHORT = 3;

type Read = { turns: Turn[]; tasks: Task[]; open: OpenTask[] };

/** The day in a few sentences: its outcome first, then what is left to do; of earlier days, what still matters. */
export function writeSummary(read: Read, conversation: Conversation, style: SummaryStyle): SummarySentence[] {
  const { turns, tasks, open } = read;
  const facts = factsOf(turns, tasks, open, LONGEST_QUOTE[style], conversation)
    .map(fact => placed(fact, conversation))
    .filter(fact => isNotable(fact) || isOfTwoTalks(turns));
  if (facts.length === 0) return [{ text: nothingToSay(conversation), sourceMessageIds: [] }];
  const wanted = factsWanted(turns, facts, style);
  let chosen = joined(choose(facts, wanted), conversation.pack.code);
  while (lengthOf(chosen) > LIMITS[style] && dropOneFact(wanted))
    chosen = joined(choose(facts, wanted), conversation.pack.code);
  const told = withDays(chosen, conversation).map(({ text, readings }) => ({
    text: closed(shorten(text, LIMITS[style]), conversation.pack),
    sourceMessageIds: [...new Set(readings.map(({ sentence }) => sentence.utterance.messageId))],
  }));
  return style === 'MINIMAL' ? told : framed(told, conversation);
}

/** Over several days, names each in front of its first sentence, and puts what is left to do under a heading. */
function withDays(chosen: Placed[], { pack, utterances }: Conversation): Placed[] {
  const last = utterances.at(-1)?.day ?? '';
  const isOfSeveral = utterances[0]?.day !== last;
  const firstOpen = chosen.findIndex(({ isOpen }) => isOpen);
  let day = last;
  return chosen.map((fact, at) => {
    const own = fact.before || last;
    // An open task is open whatever day it is from.
    if (isOfSeveral && at === firstOpen && at > 0)
      return { ...fact, text: phrase(pack.code, 'left', { quote: fact.text }) };
    if (own === day || fact.isOpen || (firstOpen >= 0 && at > firstOpen)) return fact;
    day = own;
    return { ...fact, text: `${dayLabel(own, pack.code)}: ${fact.text}` };
  });
}

/** `before`: the day of the fact if it is before the last one, else ''. */
type Placed = Fact & { before: string };

function placed(fact: Fact, conversation: Conversation): Placed {
  const day = dayOf(fact.readings);
  const isLast = day === conversation.utterances.at(-1)?.day;
  return { ...fact, before: isLast ? '' : day, worth: fact.worth * recency(fact.readings, conversation) };
}

/** Adds the days that the summary covers, if there are several, and what could not be read. */
function framed(told: SummarySentence[], conversation: Conversation): SummarySentence[] {
  const notes = [mediaNote(conversation), sinceNote(conversation)].filter(Boolean);
  return [...told, ...notes.map(text => ({ text, sourceMessageIds: [] }))];
}

/** Ends a quotation without closing punctuation with a full stop: in American English inside it, elsewhere after it. */
function closed(text: string, { code, stop, quotes: [, close] }: Conversation['pack']): string {
  const parts = text.split(close);
  return parts
    .map((part, at) => {
      const behind = parts[at + 1];
      if (behind === undefined) return part;
      const isEnd = behind === '' ? at === parts.length - 2 : /^ \p{Lu}/u.test(behind);
      if (!isEnd || /[.!?…。！？؟;:\p{Extended_Pictographic}]\s*$/u.test(part)) return `${part}${close}`;
      return code === 'en' ? `${part.trimEnd()}.${close}` : `${part}${close}${stop}`;
    })
    .join('');
}

/** How many facts: of the days before the last, of the last, and open. `further`: of the last, if nearly as good. */
type Wanted = { earlier: number; told: number; open: number; further: number };
const ORDER = ['earlier', 'told', 'open'] as const;

function kindOf({ isOpen, before }: Placed): (typeof ORDER)[number] {
  return isOpen ? 'open' : before ? 'earlier' : 'told';
}

/** Of an earlier day, only decisions, problems and figures are worth a sentence; talk is not. */
function isNotable({ isOpen, before, readings, isPair }: Placed): boolean {
  if (isOpen || !before) return true;
  if (isPair) return readings.some(({ sentence }) => FIGURE.test(sentence.text));
  return readings.some(
    ({ sentence, folded, lexicon: { acts } }) =>
      FIGURE.test(sentence.text) || [acts.decides, acts.outage, acts.threat].some(pattern => pattern.test(folded)),
  );
}

/** As much of the open tasks as fits, as much of the rest as the day is long, and a sentence or two of earlier days. */
function factsWanted(turns: Turn[], facts: Placed[], style: SummaryStyle): Wanted {
  const last = turns.at(-1)?.utterance.day;
  const today = turns.filter(({ utterance }) => utterance.day === last).length;
  const open = facts.filter(({ isOpen }) => isOpen).length;
  if (style === 'MINIMAL') {
    const isTold = open === 0 && facts.some(fact => kindOf(fact) === 'told');
    return { earlier: open === 0 && !isTold ? 1 : 0, told: isTold ? 1 : 0, further: 0, open: open > 0 ? 1 : 0 };
  }
  const before = turns.length - today;
  const told = Math.max(1, Math.round(today / (before > 0 ? 6 : 14)) + (open === 0 ? 1 : 0));
  // A short day with nothing left to do gets a second sentence, if one is worth it.
  const further = open === 0 && before === 0 && told === 1 && today >= SHORT ? 1 : 0;
  const isLong = before >= LONG || today < 3 || (before >= today && isOfTwoDays(turns));
  const earlier = before === 0 ? 0 : isLong ? 2 : 1;
  if (style === 'DETAILED') return { earlier: 2 * earlier, told: Math.min(2 * told + 1, 8), further: 0, open };
  const few = before > 0 ? MOST_OF_SEVERAL_DAYS : MOST;
  return { earlier, told: Math.min(told, 3), further, open: Math.min(open, few) };
}

/** Takes one fact away; false when only one is left. */
function dropOneFact(wanted: Wanted): boolean {
  if (wanted.told + wanted.open + wanted.earlier <= 1) return false;
  if (wanted.earlier > 0) wanted.earlier -= 1;
  else if (wanted.told > 1 || wanted.open <= 1) wanted.told -= 1;
  else wanted.open -= 1;
  return true;
}

/** The best facts that don't repeat each other: the outcome of the day, then what is open, each in order. */
function choose(facts: Placed[], wanted: Wanted): Placed[] {
  const chosen: Placed[] = [];
  const known = new Set<string>();
  const isOfSeveral = facts.some(({ before }) => before !== '');
  const first = new Map<string, number>();
  const left = { ...wanted, told: wanted.told + wanted.further };
  while (left.earlier + left.told + left.open > 0) {
    let best: { fact: Placed; worth: number } | null = null;
    const share = (kind: string) => {
      if (kind === 'open') return 0;
      return isOfSeveral ? NEXT_BEST : kind === 'told' && left.told <= wanted.further ? FURTHER_BEST : 0;
    };
    const least = (kind: string) => share(kind) * (first.get(kind) ?? 0);
    for (const fact of facts) {
      if (chosen.includes(fact) || left[kindOf(fact)] <= 0) continue;
      const worth = newWorth(fact, known);
      if (worth > (best?.worth ?? 0) && worth >= least(kindOf(fact))) best = { fact, worth };
    }
    if (!best) break;
    chosen.push(best.fact);
    if (!first.has(kindOf(best.fact))) first.set(kindOf(best.fact), best.worth);
    left[kindOf(best.fact)] -= 1;
    for (const { sentence } of best.fact.readings) for (const stem of sentence.stems) known.add(stem);
  }
  const ordered = chosen.toSorted(
    (one, other) => ORDER.indexOf(kindOf(one)) - ORDER.indexOf(kindOf(other)) || firstIndex(one) - firstIndex(other),
  );
  return withoutDuplicates(withoutRepeats(behindQuestions(ordered)));
}

/** The most sentences between what is left open and the other side's reply. */
const NEAR = 4;

/** Puts a quoted answer after what it answers, even though that is still open. */
function behindQuestions(facts: Placed[]): Placed[] {
  const questionOf = (fact: Placed) =>
    facts.findLast(open => {
      const distance = firstIndex(fact) - firstIndex(open);
      const isOther = speakerOf(open) !== speakerOf(fact);
      return open.isOpen && isOther && open.before === fact.before && distance > 0 && distance <= NEAR;
    });
  const mayFollow = ({ isOpen, isPair, readings: [first] }: Placed) =>
    !isOpen && !isPair && first !== undefined && codeOf(first) !== 'en';
  const answers = Map.groupBy(facts, fact => (mayFollow(fact) ? questionOf(fact) : undefined));
  return (answers.get(undefined) ?? []).flatMap(fact => [fact, ...(answers.get(fact) ?? [])]);
}

function speakerOf({ readings: [first] }: Fact): string | undefined {
  return first?.sentence.utterance.speaker;
}

/** What is quoted once is not quoted again. */
function withoutRepeats(facts: Placed[]): Placed[] {
  const quoted = new Set<Reading>();
  return facts.flatMap(fact => {
    if (fact.doing) return [fact];
    const isKnown = (reading: Reading | undefined) => reading !== undefined && quoted.has(reading);
    const own = fact.readings.filter(reading => reading !== fact.alone?.context);
    const isRepeated = fact.readings[0]?.lexicon.code !== 'en' && own.every(isKnown);
    const isAlone = isKnown(fact.alone?.context);
    for (const reading of fact.readings) quoted.add(reading);
    if (isRepeated) return [];
    return fact.alone && isAlone ? [{ ...fact, text: fact.alone.text, readings: own }] : [fact];
  });
}

/** What has a sentence of its own is not also quoted beside a task, nor told as a task. */
function withoutDuplicates(facts: Placed[]): Placed[] {
  return facts.flatMap(fact => {
    const { doing, beside } = fact;
    const others = facts.filter(other => other !== fact);
    if (others.some(({ text }) => text.length > fact.text.length && text.includes(fact.text))) return [];
    const own = beside?.doing ?? doing;
    if (own && others.some(other => !other.doing && other.text.includes(own.doer) && other.text.includes(own.will)))
      return [];
    const isTold = beside && others.some(({ readings: [first] }) => first === beside.context);
    if (!isTold) return [fact];
    return [{ ...fact, doing: beside.doing, text: asSentence(`${beside.doing.doer} ${beside.doing.will}`) }];
  });
}

function newWorth({ readings, worth }: Fact, known: Set<string>): number {
  const stems = readings.flatMap(({ sentence }) => sentence.stems);
  const repeated = stems.filter(stem => known.has(stem)).length / Math.max(stems.length, 1);
  return worth * (1 - REPETITION * repeated);
}

const firstIndex = ({ readings }: Fact) => Math.min(...readings.map(({ index }) => index));

/** Joins adjacent facts with the same doer: "Nora will send the file and call the printer." */
function joined(facts: Placed[], code: string): Placed[] {
  const { and } = lexiconOf(code).phrases;
  const whole: Placed[] = [];
  for (const fact of facts) {
    const last = whole.at(-1);
    if (
      !last?.doing ||
      !fact.doing ||
      last.doing.doer !== fact.doing.doer ||
      last.before !== fact.before ||
      last.text.length + fact.text.length > 220
    ) {
      whole.push(fact);
      continue;
    }
    // A comma if the first one has an "and" of its own.
    const comma = code === 'en' && last.doing.will.includes(` ${and} `) ? ',' : '';
    const will = `${last.doing.will}${comma} ${and} ${fact.doing.will.replace(/^will /, '')}`;
    const doing = { doer: fact.doing.doer, will };
    whole.splice(-1, 1, {
      ...last,
      text: asSentence(`${doing.doer} ${will}`),
      readings: [...last.readings, ...fact.readings],
      doing: null,
    });
  }
  return whole;
}

function lengthOf(facts: Fact[]): number {
  return facts.reduce((sum, { text }) => sum + text.length + 1, 0);
}
