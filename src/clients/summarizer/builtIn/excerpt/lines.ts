import type { MessengerMessage } from '../../../messenger/types.ts';
import { cleanText } from '../../cleaning.ts';
import { isSecret } from '../../masking/mask.ts';
import { maskSecrets } from '../../masking/maskSecrets.ts';
import type { Line } from '../../types.ts';
import type { Turn } from '../reading.ts';
import type { Reading } from '../types.ts';
import { cut } from './cutting.ts';
import { shownAttachment, shownName, shownText } from './shown.ts';

const NO_WORDS = { text: '', isStart: true, isEnd: true };

/** Makes lines of turns, in the words of their messages. */
export class LineWriter {
  readonly #turns: Turn[];
  readonly #messages: Map<string, MessengerMessage>;
  readonly #timezone: string;
  readonly #written = new Map<number, Line | null>();
  readonly #words = new Map<number, string>();
  readonly #blocks = new Map<number, boolean>();

  constructor(turns: Turn[], messages: readonly MessengerMessage[], timezone: string) {
    this.#turns = turns;
    this.#messages = new Map(messages.map(message => [String(message.id), message]));
    this.#timezone = timezone;
  }

  /** The line of a turn, by index; null where nothing of its message may be shown. */
  write(at: number): Line | null {
    const known = this.#written.get(at);
    if (known !== undefined) return known;
    const line = this.#lineOf(at);
    this.#written.set(at, line);
    return line;
  }

  /** The same with the words around a sentence of that turn. */
  writeAround(at: number, reading: Reading): Line | null {
    return this.#lineOf(at, reading);
  }

  #lineOf(at: number, around: Reading | null = null): Line | null {
    const turn = this.#turns[at];
    const message = this.#messageAt(at);
    if (!turn || !message || this.#hidesSecret(at)) return null;
    const { messageId, speaker, fromUser, forwarded, day, sentAt } = turn.utterance;
    const attachment = shownAttachment(message);
    const words = cut(this.#wordsOf(message), turn, around);
    if (!words && !attachment) return null;
    return {
      who: shownName(speaker),
      fromUser,
      isForwarded: forwarded,
      messageId,
      spans: [{ messageId, ...(words ?? NO_WORDS), attachment }],
      day,
      time: clockOf(this.#timezone).format(sentAt),
      isDone: false,
    };
  }

  /** Whether the words hide something only beside those before and after: "the password?" – "hunter2". */
  #hidesSecret(at: number): boolean {
    if (!this.#mayHideIn(Math.floor(at / BLOCK))) return false;
    const textOf = (index: number) => {
      const message = this.#messageAt(index);
      return message ? message.text.slice(0, NEIGHBOR) : '';
    };
    const neighbors = aroundOf(at, at).map(textOf).filter(Boolean);
    const together = cleanText(neighbors.join('\n'));
    return isSecret(together) && !together.includes(cleanText(textOf(at)));
  }

  /** Whether anything at all is hidden in some turns and those beside them: most talks have no secrets. */
  #mayHideIn(block: number): boolean {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const texts = aroundOf(block * BLOCK, (block + 1) * BLOCK - 1).map(index => {
      const message = this.#messageAt(index);
      return message ? this.#wordsOf(message).slice(0, NEIGHBOR) : '';
    });
    const may = isSecret(maskSecrets(texts.filter(Boolean).join('\n')));
    this.#blocks.set(block, may);
    return may;
  }

  #messageAt(index: number): MessengerMessage | undefined {
    return this.#messages.get(this.#turns[index]?.utterance.messageId ?? '');
  }

  #wordsOf({ id, text }: MessengerMessage): string {
    const known = this.#words.get(id) ?? shownText(text);
    this.#words.set(id, known);
    return known;
  }
}

/** Characters of each message that are searched together. */
const NEIGHBOR = 1000;
/** Turns before and after that are searched with a turn. */
const BESIDE = 2;
/** Turns that are searched at once. */
const BLOCK = 8;

/** The indexes of turns, and of those beside them. */
function aroundOf(first: number, last: number): number[] {
  const from = Math.max(0, first - BESIDE);
  return Array.from({ length: last + BESIDE - from + 1 }, (_, step) => from + step);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** To make one takes longer than to read a message. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  clocks.set(timeZone, made);
  return made;
}

/** Milliseconds after which someone goes on with something else. */
const LATER = 600_000;

/** A tick is for all of a line, and so is that it was passed on. */
function isAlike(one: Line, other: Line): boolean {
  return one.who === other.who && one.isForwarded === other.isForwarded && one.isDone === other.isDone;
}

/** What one person says without a long pause is one line. */
export function joined(lines: Line[], turns: Turn[]): Line[] {
  const timeOf = new Map(turns.map(({ utterance }) => [utterance.messageId, utterance.sentAt.getTime()]));
  const sentAt = ({ spans }: Line) => timeOf.get(spans.at(-1)?.messageId ?? '') ?? 0;
  const whole: Line[] = [];
  for (const line of lines) {
    const before = whole.at(-1);
    if (before && isAlike(before, line) && sentAt(line) - sentAt(before) <= LATER)
      whole.splice(-1, 1, { ...before, spans: [...before.spans, ...line.spans] });
    else whole.push(line);
  }
  return whole;
}
