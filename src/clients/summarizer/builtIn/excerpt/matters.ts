import type { Turn } from '../reading.ts';
import type { Odds } from './odds.ts';

/** Log odds, found by trying on labelled days. */
const OPENS = -0.3;
const OPENER = -1.5;
const SHOWN = -0.5;
/** Less than this, and nothing of a day need be shown. */
const LEAST = -1.5;
/** By how much a matter is worth less for each day that lies between it and the last one. */
const DAY_BACK = 1.5;

/** `matters`: the most of a digest; `each`: the most messages of one of them; `all`: the most messages of all. */
export type Limits = { matters: number; each: number; all: number };

/**
 * The turns to show of each matter, by index and in order, the most important matter first. `mayShow`: whether anything
 * of a turn may be quoted.
 */
export function chooseMatters(turns: Turn[], odds: Odds[], limits: Limits, mayShow: (at: number) => boolean): number[][] {
  const days = [...new Set(turns.map(({ utterance }) => utterance.day))].toReversed();
  const worthOf = (thread: number[]) =>
    Math.max(...thread.map(at => oddsAt(odds, at).matters)) -
    DAY_BACK * days.indexOf(turns[thread[0] ?? 0]?.utterance.day ?? '');
  const ranked = threadsIn(turns, odds)
    .map(thread => ({ thread, worth: worthOf(thread) }))
    .filter(({ worth }) => worth >= LEAST)
    .toSorted((one, other) => other.worth - one.worth);
  const chosen: number[][] = [];
  for (const { thread } of ranked) {
    if (chosen.length === limits.matters) break;
    const shown = shownOf(thread, odds, limits.each, mayShow);
    if (shown.length > 0 && chosen.flat().length + shown.length <= limits.all) chosen.push(shown);
  }
  return chosen;
}

/** Everything said about one matter after the other. A reply belongs to what it replies to, wherever that was said. */
function threadsIn(turns: Turn[], odds: Odds[]): number[][] {
  const threads: number[][] = [];
  const threadOf = new Map<string, number[]>();
  let before: Turn | undefined;
  for (const [at, turn] of turns.entries()) {
    const { messageId, replyTo, day } = turn.utterance;
    const isOtherDay = before?.utterance.day !== day;
    const answered = replyTo === null ? undefined : threadOf.get(replyTo);
    const isOfDay = answered && turns[answered[0] ?? 0]?.utterance.day === day;
    const current = isOfDay ? answered : isOtherDay || oddsAt(odds, at).opens > OPENS ? undefined : threads.at(-1);
    const thread = current ?? [];
    if (!current) threads.push(thread);
    thread.push(at);
    threadOf.set(messageId, thread);
    before = turn;
  }
  return threads;
}

/** Its opener, its end, and what matters most in between. */
function shownOf(thread: number[], odds: Odds[], most: number, mayShow: (at: number) => boolean): number[] {
  const showable = thread.filter(mayShow);
  const first = showable.find(at => oddsAt(odds, at).matters > OPENER) ?? showable[0];
  if (first === undefined) return [];
  const isShown = (at: number) => oddsAt(odds, at).matters > SHOWN;
  const last = showable.findLast(at => at >= first && (isShown(at) || oddsAt(odds, at).ends > SHOWN)) ?? first;
  const between = showable
    .filter(at => at > first && at < last && isShown(at))
    .toSorted((one, other) => oddsAt(odds, other).matters - oddsAt(odds, one).matters)
    .slice(0, Math.max(0, most - 2));
  return [...new Set([first, ...between, last])].toSorted((one, other) => one - other);
}

const NO_ODDS: Odds = { opens: 0, ends: 0, matters: 0 };
const oddsAt = (odds: Odds[], at: number) => odds[at] ?? NO_ODDS;
