import type { Turn } from './reading.ts';
import type { Reading } from './types.ts';

/** A sentence of the summary: what it says, what it rests on, and how much would be missed without it. */
export type Fact = {
  text: string;
  readings: Reading[];
  worth: number;
  isOpen: boolean;
  /** A question with its answer. */
  isPair?: boolean;
  /** Who does what, where it is said so: neighbours with one doer share a sentence. */
  doing: { doer: string; will: string } | null;
  /** What is quoted in brackets to say what the task is about, and the sentence without it. */
  beside?: { context: Reading; doing: { doer: string; will: string } };
  /** Without what may have been quoted before it. */
  alone?: { text: string; context: Reading };
};

/** What a fact is made for: whether it is still to do, characters of a quotation, and all that was said. */
export type FactScope = { isOpen: boolean; limit: number; turns: Turn[] };

export function fact(text: string, readings: Reading[], worth: number, isOpen: boolean): Fact {
  return { text, readings, worth, isOpen, doing: null };
}
