import { FIGURE } from '../choosing.ts';
import type { Turn } from '../reading.ts';
import { firstOf } from '../tasks.ts';
import type { Odds } from './odds.ts';

/** Log odds, found by trying on labelled days: above them a message may open what is shown, end it, or stand in between. */
const OPENER = -1;
const END = -0.7;
const BETWEEN = -0.3;
/** Less than this, and nothing of a thread need be shown. */
const LEAST = -1.5;
/** By how much a matter is worth less for each day that lies between it and the last one. */
const DAY_BACK = 1.5;

/** An opener and an end. */
const FEWEST = 2;

/** `matters`: the most of a digest; `each`: the most messages of one of them; `all`: the most messages of all. */
export type Limits = { matters: number; each: number; all: number };

/**
 * The turns to show of each thread that matters, by index and in order, the most important first. `mayShow`: whether a turn
 * says anything that may be quoted.
 */
export function chooseMatters(
  threads: number[][],
  turns: Turn[],
  odds: Odds[],
  limits: Limits,
  mayShow: (at: number) => boolean,
): number[][] {
  const matters = (at: number) => odds[at]?.matters ?? 0;
  const days = [...new Set(turns.map(({ utterance }) => utterance.day))].toReversed();
  const daysBack = (at: number) => days.indexOf(turns[at]?.utterance.day ?? '');
  const ranked = threads
    .map(thread => thread.filter(mayShow))
    .flatMap(([first, ...rest]) => {
      if (first === undefined) return [];
      const thread = [first, ...rest];
      return { thread, worth: Math.max(...thread.map(matters)) - DAY_BACK * daysBack(first) };
    })
    .filter(({ worth }) => worth >= LEAST)
    .toSorted((one, other) => other.worth - one.worth);
  const chosen: number[][] = [];
  for (const { thread } of ranked) {
    const left = limits.all - chosen.flat().length;
    if (chosen.length === limits.matters || left < FEWEST) break;
    chosen.push(withReply(shownOf(thread, matters, Math.min(limits.each, left)), thread, turns));
  }
  return chosen;
}

/** With the yes or no that the other side gave to the last words shown, right behind them. */
function withReply(shown: number[], thread: number[], turns: Turn[]): number[] {
  const last = shown.at(-1) ?? 0;
  const [next] = thread.slice(thread.indexOf(last) + 1);
  const [said, reply] = [turns[last], turns[next ?? -1]];
  if (next === undefined || !said || !reply || said.utterance.speaker === reply.utterance.speaker) return shown;
  const isReply = reply.readings[0] !== undefined && firstOf(reply.readings[0]) !== null;
  return isReply && awaitsReply(said) ? [...shown, next] : shown;
}

/** It asks, offers or proposes; what only tells or promises is complete without a yes. */
function awaitsReply({ readings }: Turn): boolean {
  return readings.some(
    ({ sentence, proposes, moves }) =>
      sentence.isQuestion ||
      proposes ||
      FIGURE.test(sentence.text) ||
      moves.some(({ act }) => act !== 'promise' && act !== 'statement'),
  );
}

/** Its opener, its end, and what matters most in between. */
function shownOf(thread: number[], matters: (at: number) => number, most: number): number[] {
  const first = thread.find(at => matters(at) > OPENER) ?? thread[0] ?? 0;
  const last = thread.findLast(at => at > first && matters(at) > END) ?? first;
  const between = thread
    .filter(at => at > first && at < last && matters(at) > BETWEEN)
    .toSorted((one, other) => matters(other) - matters(one))
    .slice(0, Math.max(0, most - 2));
  return [...new Set([first, ...between, last])].toSorted((one, other) => one - other);
}
