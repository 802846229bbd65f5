import type { Turn } from '../reading.ts';
import { FIGURE } from './figures.ts';

/** The most passages of a digest, and the most messages of all of them. */
export type Limits = { passages: number; messages: number };

/** A message is shown, if there is room, from this probability on that it would be missed. */
const WORTH = 0.22;
/** What is said last tells where things stand, unless it is small talk: how much more it is worth for that. */
const LAST = 0.3;
/** By how much a message is worth less for each day that lies between its day and the last one. */
const DAY_BACK = 0.15;
/** What it costs to show a question without the answer right behind it, or that answer without its question. */
const PARTED = 0.5;
/** What it costs to break off where someone asked for something, offered it or named a figure, and another answers at once. */
const UNANSWERED = 0.2;
/** What it costs to break off where the next words follow within so many milliseconds. */
const BROKEN = { cost: 0.05, within: 600_000 };
/** How much better it is to begin with a question than anywhere else. */
const BEGINS = 0.02;
/** Milliseconds after which the talk begins anew. */
const PAUSE = 3_600_000;

/**
 * The passages worth most, by indexes of turns, in their order. A passage leaves nothing out but what may not be shown, so
 * that nothing looks like the answer to what it does not answer.
 * @param odds log odds that a turn would be missed
 * @param may indexes of the turns that may be shown
 */
export function choosePassages(turns: Turn[], odds: number[], may: number[], limits: Limits): number[][] {
  const worth = worthOf(turns, odds);
  const talk = may.flatMap(at => turns[at] ?? []);
  const table = new Table(limits);
  for (const [place, at] of may.entries()) {
    const turn = turns[at] as Turn;
    const [before, after] = [talk[place - 1], talk[place + 1]];
    table.add({
      worth: worth[at] ?? 0,
      begins: (asks(turn) ? BEGINS : 0) - (before ? costBetween(before, turn) : 0),
      ends: after ? -costBetween(turn, after) : 0,
      goesOn: before !== undefined && isOneTalk(before, turn),
    });
  }
  return table.best().map(passage => passage.map(place => may[place] ?? 0));
}

/** Between -1 and 1: what a message is worth more than the room that it takes. */
function worthOf(turns: Turn[], odds: number[]): number[] {
  const days = [...new Set(turns.map(({ utterance }) => utterance.day))].toReversed();
  const backOf = new Map(days.map((day, back) => [day, back]));
  return turns.map(({ utterance, readings }, at) => {
    const probability = 1 / (1 + Math.exp(-(odds[at] ?? 0)));
    const isLast = at === turns.length - 1 && readings.some(({ isSmallTalk }) => !isSmallTalk);
    return probability - WORTH + (isLast ? LAST : 0) - DAY_BACK * (backOf.get(utterance.day) ?? 0);
  });
}

function isOneTalk(before: Turn, after: Turn): boolean {
  return before.utterance.day === after.utterance.day && pauseBetween(before, after) < PAUSE;
}

/** What it costs to show one of two messages without the other. */
function costBetween(before: Turn, after: Turn): number {
  const isOther = before.utterance.speaker !== after.utterance.speaker;
  const isAnswered = isOther && asks(before) && !asks(after);
  if (pauseBetween(before, after) >= BROKEN.within) return isAnswered ? PARTED : 0;
  if (isAnswered) return PARTED + BROKEN.cost;
  return (isOther && wantsAnswer(before) ? UNANSWERED : 0) + BROKEN.cost;
}

/** Where the answer is left out, what was asked or offered looks open. */
function wantsAnswer({ readings }: Turn): boolean {
  return readings.some(
    ({ sentence, moves }) =>
      sentence.isQuestion || FIGURE.test(sentence.text) || moves.some(({ act }) => act !== 'promise'),
  );
}

function pauseBetween(before: Turn, after: Turn): number {
  return after.utterance.sentAt.getTime() - before.utterance.sentAt.getTime();
}

function asks({ readings }: Turn): boolean {
  return readings.some(({ sentence }) => sentence.isQuestion);
}

/** `begins`, `ends`: what is gained where a passage begins or ends with it. `goesOn`: it may follow the one before. */
type Step = { worth: number; begins: number; ends: number; goesOn: boolean };

/** How a place came to be shown: left out, the first of a passage, or the next of one. */
const [LEFT, FIRST, NEXT] = [0, 1, 2];
/** Added where the latest passage could have gone on before that. */
const OPEN = 4;

/**
 * Chooses by dynamic programming: the best sum for each number of passages, of messages, and whether the latest passage may
 * go on, is known after each step. Time and memory grow with the number of steps only.
 */
class Table {
  readonly #passages: number;
  readonly #messages: number;
  readonly #ways: Uint8Array[] = [];
  #sums: Float64Array;
  #ends = 0;

  constructor({ passages, messages }: Limits) {
    [this.#passages, this.#messages] = [passages, messages];
    this.#sums = this.#noSums();
    this.#sums[this.#index(0, 0, 0)] = 0;
  }

  add({ worth, begins, ends, goesOn }: Step): void {
    const [sums, ways] = [this.#noSums(), new Uint8Array(this.#sums.length)];
    for (let k = 0; k <= this.#passages; k++) {
      for (let n = 0; n <= this.#messages; n++) {
        const closed = this.#index(k, n, 0);
        sums[closed] = this.#ended(k, n);
        ways[closed] = LEFT + (this.#wasOpen(k, n) ? OPEN : 0);
        if (k === 0 || n === 0) continue;
        const begun = this.#ended(k - 1, n - 1) + begins + worth;
        const gone = goesOn ? this.#sum(k, n - 1, 1) + worth : Number.NEGATIVE_INFINITY;
        const open = this.#index(k, n, 1);
        sums[open] = Math.max(begun, gone);
        ways[open] = gone >= begun ? NEXT + OPEN : FIRST + (this.#wasOpen(k - 1, n - 1) ? OPEN : 0);
      }
    }
    this.#ways.push(ways);
    [this.#sums, this.#ends] = [sums, ends];
  }

  /** The places of each passage, in their order. */
  best(): number[][] {
    let at = this.#sums.indexOf(Math.max(...this.#sums));
    const passages: number[][] = [];
    const passage: number[] = [];
    for (const [place, ways] of [...this.#ways.entries()].toReversed()) {
      const [way, wasOpen] = [(ways[at] ?? LEFT) % OPEN, (ways[at] ?? LEFT) >= OPEN ? 1 : 0];
      const [k, n] = [Math.floor(at / 2 / (this.#messages + 1)), Math.floor(at / 2) % (this.#messages + 1)];
      if (way !== LEFT) passage.unshift(place);
      if (way === FIRST) passages.unshift(passage.splice(0));
      at = this.#index(k - (way === FIRST ? 1 : 0), n - (way === LEFT ? 0 : 1), wasOpen);
    }
    return passages;
  }

  /** The best sum where no passage goes on. */
  #ended(k: number, n: number): number {
    return Math.max(this.#sum(k, n, 0), this.#sum(k, n, 1) + this.#ends);
  }

  #wasOpen(k: number, n: number): boolean {
    return this.#sum(k, n, 1) + this.#ends > this.#sum(k, n, 0);
  }

  #sum(k: number, n: number, open: number): number {
    return this.#sums[this.#index(k, n, open)] ?? Number.NEGATIVE_INFINITY;
  }

  #index(k: number, n: number, open: number): number {
    return 2 * (k * (this.#messages + 1) + n) + open;
  }

  #noSums(): Float64Array {
    return new Float64Array(2 * (this.#passages + 1) * (this.#messages + 1)).fill(Number.NEGATIVE_INFINITY);
  }
}
