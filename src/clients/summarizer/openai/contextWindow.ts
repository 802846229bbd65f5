import { randomInt } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { RequestSource, SummarizerReport, TokenUsage } from '../types.ts';
import { createExpiringMap } from './expiringMap.ts';

/** Estimated tokens of data. A model without room for this many has none for a conversation. */
export const SMALLEST_PART = 500;
/** Two parts out of one, with room for messages that don't divide evenly. */
const SMALLER = 0.55;
/** One person who writes to several users is one author: others must have met the same. */
const AUTHORS = 3;
const HOUR_MS = 3_600_000;
/** Less than a day, so that each morning's run begins with what is known of everybody. */
const DAY_MS = 20 * HOUR_MS;
const MOST_CONVERSATIONS = 5000;
const MOST_AUTHORS = 100;

/** In estimated tokens. */
type Size = {
  /** The whole prompt. */
  prompt: number;
  /** The part of it that comes before the first message. */
  overhead: number;
  /** How much of it the server says it read. Real tokens, which are usually fewer. */
  counted?: number | undefined;
};

/** Of what was read whole lately: the longest prompt in estimated tokens, the longest with its answer as counted. */
type Proven = { longest: number; exchange: number };
const LATELY = 'lately';

/** What is known of the model's context when one conversation is read. */
export type ContextWindow = {
  /** Estimated tokens of data that are worth sending beside so many others. Infinity as long as nothing was too long. */
  roomForData(overhead: number): number;
  /** The same from this conversation's own prompts alone. */
  ownRoomForData(overhead: number): number;
  /**
   * Always leaves less room than for this prompt, which was too long. Remembers it for the conversation, except with a
   * `reply`: then the model may as well have read it all, and only have been told not to show it.
   */
  shrink(size: Size, cut: { isSure: boolean; reply?: unknown }): void;
  /** Remembers a prompt that was read whole to the end of the answer: the answer repeated the code. */
  keepProven(prompt: number, usage: TokenUsage): void;
  /** Whether as much was read and written before without a loss, by the server's own count. */
  isProven(usage: TokenUsage): boolean;
};

type Options = { report: (failure: SummarizerReport) => void; clock: Clock };

/**
 * No server says how large its context is: each prompt that was too long halves the room for data, roughly. What one
 * conversation shows holds for that one, for a day. The room for all shrinks after prompts of several authors were too
 * long by what no message can bring about, while shorter ones were read and none as long; it doubles every hour and never gets smaller
 * than the smallest part. So no one's words take the model from others.
 */
export function createContextWindow({ report, clock }: Options) {
  const now = () => clock.now().getTime();
  const rooms = createExpiringMap<number>({ clock, most: MOST_CONVERSATIONS, ms: DAY_MS });
  const tooLong = createExpiringMap<Size>({ clock, most: MOST_AUTHORS, ms: DAY_MS });
  const proven = createExpiringMap<Proven>({ clock, most: 1, ms: HOUR_MS });
  const shared = { data: Number.POSITIVE_INFINITY, since: 0 };

  function sharedRoom(): number {
    const hours = (now() - shared.since) / HOUR_MS;
    // A clock that was set back must not keep it small.
    return hours < 0 || hours > 10 ? Number.POSITIVE_INFINITY : shared.data * 2 ** Math.floor(hours);
  }

  function shrinkForAll(): void {
    const agreed = tooLong.values().sort((one, other) => one.prompt - other.prompt)[AUTHORS - 1];
    const worked = proven.get(LATELY);
    if (!agreed || !worked || worked.longest >= agreed.prompt) return;
    const data = Math.max(SMALLEST_PART, roomAfter(agreed) - agreed.overhead);
    if (data >= sharedRoom()) return;
    Object.assign(shared, { data, since: now() });
    tooLong.clear();
    proven.clear();
  }

  return {
    /** @param source undefined for a request of no conversation: nothing is remembered of it but for itself */
    of(source: RequestSource | undefined): ContextWindow {
      let own = (source && rooms.get(source.conversation)) ?? Number.POSITIVE_INFINITY;
      return {
        roomForData: overhead => Math.min(own - overhead, sharedRoom()),
        ownRoomForData: overhead => own - overhead,
        shrink(size, { isSure, reply }) {
          own = Math.min(own, roomAfter(size));
          if (reply) return;
          const message = `about ${size.prompt} tokens were too many, ${Math.floor(own)} are next`;
          report({ code: 'AI_CONTEXT_CUT', message });
          if (source) rooms.set(source.conversation, own);
          if (!source || !isSure) return;
          const before = tooLong.get(source.author);
          if (!before || size.prompt < before.prompt) tooLong.set(source.author, size);
          shrinkForAll();
        },
        keepProven(prompt, usage) {
          const before = proven.get(LATELY) ?? { longest: 0, exchange: 0 };
          const longest = Math.max(before.longest, prompt);
          proven.set(LATELY, { longest, exchange: Math.max(before.exchange, tokensOf(usage)) });
          // Rare signs take many tokens: that so many of them were too long says nothing of other words.
          if (tooLong.values().some(size => size.prompt <= longest)) tooLong.clear();
          shrinkForAll();
        },
        isProven: usage => usage.promptTokens > 0 && tokensOf(usage) <= (proven.get(LATELY)?.exchange ?? 0),
      };
    },
  };
}

function tokensOf({ promptTokens, completionTokens }: TokenUsage): number {
  return promptTokens + completionTokens;
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
