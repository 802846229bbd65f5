import { shorten } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import { lexiconOf } from '../languages/lexicon.ts';
import type { SummarySentence, SummaryStyle } from '../types.ts';
import { type Fact, factsOf } from './facts.ts';
import type { OpenTask } from './items.ts';
import { mediaNote } from './media.ts';
import { recency, sinceWords } from './range.ts';
import type { Turn } from './reading.ts';
import { nothingToSay } from './silence.ts';
import type { Task } from './tasks.ts';
import { asSentence } from './text.ts';

const LIMITS: Record<SummaryStyle, number> = { BUSINESS: 600, DETAILED: 1200, MINIMAL: 220 };
const LONGEST_QUOTE: Record<SummaryStyle, number> = { BUSINESS: 140, DETAILED: 220, MINIMAL: 140 };
/** How much a fact loses that only repeats what is chosen. */
const REPETITION = 0.6;

type Read = { turns: Turn[]; tasks: Task[]; open: OpenTask[] };

/** The day in a few sentences: what came of it first, then what is left. */
export function writeSummary(read: Read, conversation: Conversation, style: SummaryStyle): SummarySentence[] {
  const { turns, tasks, open } = read;
  const facts = factsOf(turns, tasks, open, LONGEST_QUOTE[style], conversation).map(fact => ({
    ...fact,
    worth: fact.worth * recency(fact.readings, conversation),
  }));
  if (facts.length === 0) return [{ text: nothingToSay(conversation), sourceMessageIds: [] }];
  let wanted = factsWanted(turns.length, facts, style);
  let chosen = joined(choose(facts, wanted), conversation.pack.code);
  while (lengthOf(chosen) > LIMITS[style] && wanted.told + wanted.open > 1) {
    wanted =
      wanted.told > 1 || wanted.open <= 1 ? { ...wanted, told: wanted.told - 1 } : { ...wanted, open: wanted.open - 1 };
    chosen = joined(choose(facts, wanted), conversation.pack.code);
  }
  const told = chosen.map(({ text, readings }) => ({
    text: shorten(text, LIMITS[style]),
    sourceMessageIds: [...new Set(readings.map(({ sentence }) => sentence.utterance.messageId))],
  }));
  return style === 'MINIMAL' ? told : framed(told, conversation);
}

/** With the days it covers where they are several, and what could not be read. */
function framed(told: SummarySentence[], conversation: Conversation): SummarySentence[] {
  const [first, ...rest] = told;
  const since = sinceWords(conversation);
  const note = mediaNote(conversation);
  const begun = first && since ? [{ ...first, text: `${since} ${first.text}` }, ...rest] : told;
  return note ? [...begun, { text: note, sourceMessageIds: [] }] : begun;
}

type Wanted = { told: number; open: number };

/** What is left is told as far as it goes; of the rest as much as the day was long. */
function factsWanted(turns: number, facts: Fact[], style: SummaryStyle): Wanted {
  const open = facts.filter(({ isOpen }) => isOpen).length;
  if (style === 'MINIMAL') return open > 0 ? { told: 0, open: 1 } : { told: 1, open: 0 };
  const told = Math.max(1, Math.round(turns / 14) + (open === 0 ? 1 : 0));
  return style === 'BUSINESS'
    ? { told: Math.min(told, 3), open: Math.min(open, 5) }
    : { told: Math.min(2 * told + 1, 8), open };
}

/** The worthiest facts that don't repeat each other: what came of the day first, then what is open, each in its order. */
function choose(facts: Fact[], wanted: Wanted): Fact[] {
  const chosen: Fact[] = [];
  const known = new Set<string>();
  const left = { told: wanted.told, open: wanted.open };
  while (left.told + left.open > 0) {
    let best: { fact: Fact; worth: number } | null = null;
    for (const fact of facts) {
      if (chosen.includes(fact) || (fact.isOpen ? left.open : left.told) <= 0) continue;
      const worth = newWorth(fact, known);
      if (worth > (best?.worth ?? 0)) best = { fact, worth };
    }
    if (!best) break;
    chosen.push(best.fact);
    if (best.fact.isOpen) left.open -= 1;
    else left.told -= 1;
    for (const { sentence } of best.fact.readings) for (const stem of sentence.stems) known.add(stem);
  }
  return chosen.toSorted(
    (one, other) => Number(one.isOpen) - Number(other.isOpen) || firstIndex(one) - firstIndex(other),
  );
}

function newWorth({ readings, worth }: Fact, known: Set<string>): number {
  const stems = readings.flatMap(({ sentence }) => sentence.stems);
  const repeated = stems.filter(stem => known.has(stem)).length / Math.max(stems.length, 1);
  return worth * (1 - REPETITION * repeated);
}

const firstIndex = ({ readings }: Fact) => Math.min(...readings.map(({ index }) => index));

/** Neighbours with one doer become one sentence: "Nora will send the file and call the printer." */
function joined(facts: Fact[], code: string): Fact[] {
  const { and } = lexiconOf(code).phrases;
  const whole: Fact[] = [];
  for (const fact of facts) {
    const last = whole.at(-1);
    if (
      !last?.doing ||
      !fact.doing ||
      last.doing.doer !== fact.doing.doer ||
      last.text.length + fact.text.length > 220
    ) {
      whole.push(fact);
      continue;
    }
    const will = `${last.doing.will}, ${and} ${fact.doing.will.replace(/^will /, '')}`;
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
