import type { Turn } from '../reading.ts';
import { firstOf } from '../tasks.ts';
import type { Reading } from '../types.ts';
import { FIGURE } from './figures.ts';
import type { Odds } from './odds.ts';

/** Log odds, found by trying on labelled days: above them a message may open what is shown, end it, or be in between. */
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
    .flatMap(thread => {
      const [first] = thread;
      if (first === undefined) return [];
      return { thread, worth: Math.max(...thread.map(matters)) - DAY_BACK * daysBack(first) };
    })
    .filter(({ worth }) => worth >= LEAST)
    .toSorted((one, other) => other.worth - one.worth);
  const chosen: number[][] = [];
  for (const { thread } of ranked) {
    const left = limits.all - chosen.flat().length;
    if (chosen.length === limits.matters || left < FEWEST) break;
    const shown = shownOf(thread, turns, matters, Math.min(limits.each, left), mayShow);
    if (shown.length > 0) chosen.push(shown);
  }
  return withTail(chosen, { threads, turns, most: limits.matters, mayShow });
}

/** How many of the last messages say where things stand, whatever they weigh. */
const TAIL = 2;

type Choosing = { threads: number[][]; turns: Turn[]; most: number; mayShow: (at: number) => boolean };

/** With the last messages of all, in the place of what matters least where there is no room: what was said last holds. */
function withTail(chosen: number[][], { threads, turns, most, mayShow }: Choosing): number[][] {
  const shown = new Set(chosen.flat());
  const tail = [...turns.keys()].slice(-TAIL).filter(at => !shown.has(at) && says(turns[at]) && mayShow(at));
  const isOf = (matter: number[], thread: number[] | undefined) => matter.some(at => thread?.includes(at));
  let matters = chosen;
  // What matters most stays where only one matter is shown.
  for (const at of most > 1 ? tail : []) {
    const thread = threads.find(one => one.includes(at));
    const matter = matters.find(one => isOf(one, thread));
    matters = matter
      ? matters.map(one => (one === matter ? inOrder([...one, at]) : one))
      : [...matters.slice(0, most - 1), [at]];
  }
  return matters;
}

/** What may not be shown is looked at only where it would be: that takes longer than all the rest. */
function shownOf(
  thread: number[],
  turns: Turn[],
  matters: (at: number) => number,
  most: number,
  mayShow: (at: number) => boolean,
): number[] {
  if (thread.length === 0) return [];
  const chosen = withLastFigure(openerToEnd(thread, matters, most), thread, turns);
  const shown = withoutHoles(withLastWord(withAnswers(chosen, thread, turns), thread, turns), thread, turns);
  const hidden = new Set(shown.filter(at => !mayShow(at)));
  if (hidden.size === 0) return shown;
  return shownOf(
    thread.filter(at => !hidden.has(at)),
    turns,
    matters,
    most,
    mayShow,
  );
}

/**
 * With the answer right behind each question and offer that is shown, and the question right before each answer, even
 * where they matter little alone: without them, what was refused would look agreed, what was answered, open, and
 * an answer, that to an earlier question.
 */
function withAnswers(shown: number[], thread: number[], turns: Turn[]): number[] {
  const isPair = (asked: Turn | undefined, answer: Turn | undefined) => asked && answer && isAnswered(asked, answer);
  const besides = shown.flatMap(at => {
    const place = thread.indexOf(at);
    const [before = -1, after = -1] = [thread[place - 1], thread[place + 1]];
    const isAsked = asks(turns[before]) && isPair(turns[before], turns[at]);
    return [...(isAsked ? [before] : []), ...(isPair(turns[at], turns[after]) ? [after] : [])];
  });
  return inOrder([...shown, ...besides]);
}

/** With the last amount or day that a thread names where an earlier one is shown: what replaced it is what holds. */
function withLastFigure(shown: number[], thread: number[], turns: Turn[]): number[] {
  const names = (at: number) =>
    turns[at]?.readings.some(({ sentence, when }) => when !== null || FIGURE.test(sentence.text)) ?? false;
  const last = thread.findLast(names);
  if (last === undefined || shown.includes(last) || !shown.some(at => at < last && names(at))) return shown;
  return inOrder([...shown, last]);
}

/** Messages and milliseconds: with so few left out, what is shown would look like the answer to what it does not answer. */
const HOLE = { most: 2, pause: 2_700_000 };

/** With the few messages between two that are shown, except small talk. */
function withoutHoles(shown: number[], thread: number[], turns: Turn[]): number[] {
  const between = shown.slice(1).flatMap((to, index) => {
    const from = shown[index] ?? to;
    const left = thread.slice(thread.indexOf(from) + 1, thread.indexOf(to));
    return left.length <= HOLE.most && pauseBetween(turns[from], turns[to]) <= HOLE.pause
      ? left.filter(at => says(turns[at]))
      : [];
  });
  return inOrder([...shown, ...between]);
}

function pauseBetween(one: Turn | undefined, other: Turn | undefined): number {
  return (other?.utterance.sentAt.getTime() ?? 0) - (one?.utterance.sentAt.getTime() ?? 0);
}

/** Letters of a few words that say what became of what was said right before: "10 is perfect", "deal then, 7 days". */
const BRIEF = 40;
/** Milliseconds within which they are about it. */
const SOON = 3_600_000;

/** With the few words of someone else right behind the last one shown: without them, a plan that was agreed on looks open. */
function withLastWord(shown: number[], thread: number[], turns: Turn[]): number[] {
  const last = shown.at(-1) ?? -1;
  const next = thread[thread.indexOf(last) + 1] ?? -1;
  const [said, word] = [turns[last], turns[next]];
  if (!said || !word || said.utterance.speaker === word.utterance.speaker || asks(word)) return shown;
  const letters = word.readings.reduce((sum, { sentence }) => sum + sentence.text.length, 0);
  const isSoon = pauseBetween(said, word) <= SOON;
  return isSoon && letters <= BRIEF ? [...shown, next] : shown;
}

/** Each once. */
function inOrder(indexes: number[]): number[] {
  return [...new Set(indexes)].toSorted((one, other) => one - other);
}

/** More than small talk. */
function says(turn: Turn | undefined): boolean {
  return turn?.readings.some(({ isSmallTalk }) => !isSmallTalk) ?? false;
}

function asks(turn: Turn | undefined): boolean {
  return turn?.readings.some(({ sentence }) => sentence.isQuestion) ?? false;
}

function isAnswered(asked: Turn, answer: Turn): boolean {
  if (asked.utterance.speaker === answer.utterance.speaker || asks(answer)) return false;
  const isReply = answer.readings.some(reading => reading.refuses || firstOf(reading) !== null);
  return asks(asked) || (isReply && awaitsReply(asked.readings));
}

/** It offers or proposes, or names an amount; what only tells or promises is complete without a yes. */
function awaitsReply(readings: Reading[]): boolean {
  return readings.some(
    ({ sentence, proposes, moves }) =>
      proposes || FIGURE.test(sentence.text) || moves.some(({ act }) => act !== 'promise' && act !== 'statement'),
  );
}

/** Its opener, its end, and what matters most in between. */
function openerToEnd(thread: number[], matters: (at: number) => number, most: number): number[] {
  const first = thread.find(at => matters(at) > OPENER) ?? thread[0] ?? 0;
  const last = thread.findLast(at => at > first && matters(at) > END) ?? first;
  const between = thread
    .filter(at => at > first && at < last && matters(at) > BETWEEN)
    .toSorted((one, other) => matters(other) - matters(one))
    .slice(0, Math.max(0, most - 2));
  return inOrder([first, ...between, last]);
}
