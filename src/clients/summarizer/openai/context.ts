import { randomInt } from 'node:crypto';
import type { SummarizerReport } from '../types.ts';

/** Estimated tokens of data. A model without room for this many has none for a conversation. */
export const SMALLEST_PART = 500;
/** Two parts out of one, with room for messages that don't divide evenly. */
const SMALLER = 0.55;

/** In estimated tokens. */
type Size = {
  /** The whole prompt. */
  prompt: number;
  /** The part of it that comes before the first message. */
  overhead: number;
  /** How much of it the server says it read. Real tokens, which are usually fewer. */
  counted?: number | undefined;
};

/** What is known of the model's context, for as long as this process lives. */
export type Context = {
  /** The longest prompt, in estimated tokens, that is worth sending. Infinity until one was too long. */
  room(): number;
  /** Remembers that a prompt was too long. Always leaves less room than that. */
  shrink(size: Size): void;
};

/** No server says how large its context is: each prompt that was too long halves the room for data, roughly. */
export function createContext(report: (failure: SummarizerReport) => void): Context {
  let room = Number.POSITIVE_INFINITY;
  return {
    room: () => room,
    shrink(size) {
      const next = roomAfter(size);
      if (next >= room) return;
      room = next;
      report({
        code: 'AI_CONTEXT_CUT',
        message: `about ${size.prompt} tokens were too many, ${Math.floor(next)} are next`,
      });
    },
  };
}

function roomAfter({ prompt, overhead, counted = Number.POSITIVE_INFINITY }: Size): number {
  const data = prompt - overhead;
  if (data <= SMALLEST_PART) return prompt - 1;
  return overhead + Math.max(SMALLEST_PART, Math.min(data * SMALLER, counted - overhead));
}

const LETTERS = 'bcdfghjkmnpqrstvwxz';

/** A code that no one can guess and no text contains: a model that repeats it has read the place where it is. */
export function randomCode(): string {
  return Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
