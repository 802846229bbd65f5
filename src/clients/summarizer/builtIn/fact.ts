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
  /** Who does what, if that is known: adjacent facts with the same doer share a sentence. */
  doing: { doer: string; will: string } | null;
  /** The sentence quoted in brackets to say what the task is about, and the task without it. */
  beside?: { context: Reading; doing: { doer: string; will: string } };
  /** The text without the context, for when that has been quoted already. */
  alone?: { text: string; context: Reading };
};

/** The scope of a fact: whether it is still to do, the limit of a quotation in characters, and all turns. */
export type FactScope = { isOpen: boolean; limit: number; turns: Turn[] };

export function fact(text: string, readings: Reading[], worth: number, isOpen: boolean): Fact {
  return { text, readings, worth, isOpen, doing: null };
}
