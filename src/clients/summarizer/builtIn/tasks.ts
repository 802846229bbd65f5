import type { Turn } from './reading.ts';
import { alike } from './stems.ts';
import type { Deed, Reading } from './types.ts';
import type { When } from './when.ts';

export type Person = { name: string; isUser: boolean };
export type TaskKind = 'promise' | 'request' | 'offer' | 'proposal' | 'question';

/** Something that came up and is settled, dropped or left open. */
export type Task = {
  kind: TaskKind;
  /** Who spoke of it first. */
  asker: Person;
  /** Who is to do it; null where nobody was named. */
  doer: Person | null;
  deed: Deed | null;
  /** What was said about it, oldest first. */
  readings: Reading[];
  stems: Set<string>;
  strength: number;
  when: When | null;
  isAccepted: boolean;
  state: 'open' | 'done' | 'dropped' | 'answered';
  /** What settled or dropped it. */
  outcome: Reading | null;
  /** The turns in which it was first and last spoken of. */
  firstTurn: number;
  lastTurn: number;
};

export function touch(task: Task, reading: Reading, turn: Turn, onlyYes: boolean): void {
  if (!task.readings.includes(reading) && task.readings.length < 10) task.readings.push(reading);
  if (!onlyYes) for (const stem of reading.sentence.stems) task.stems.add(stem);
  task.lastTurn = turn.index;
}

/** Whether a reply begins with its yes or with its no. */
export function firstOf({ accepts, refuses, folded, sentence }: Reading): 'accepts' | 'refuses' | null {
  if (accepts && refuses)
    return /^\P{L}*(?:no|not|nope|nein|нет|ні|non|não|nie|hayır)(?!\p{L})/u.test(folded) ? 'refuses' : 'accepts';
  if (refuses) return 'refuses';
  return accepts && !sentence.isQuestion ? 'accepts' : null;
}

export function merged(before: When | null, now: When | null): When | null {
  if (!now) return before;
  return { ...now, time: now.time ?? before?.time ?? null };
}

/** A promised day counts when the request had none, or only an earlier hour of the same day. */
export function isBetter(now: When, before: When): boolean {
  return now.date >= before.date;
}

export function overlap(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (some.size === 0 || others.size === 0) return 0;
  const shared = [...others].filter(stem => [...some].some(other => alike(stem, other))).length;
  return shared / Math.min(some.size, others.size);
}

export function isCalled(name: string, { sentence }: Reading): boolean {
  const first = name.toLowerCase().split(' ')[0] ?? '';
  return first !== '' && (sentence.words.includes(first) || sentence.folded.includes(`@${first}`));
}
