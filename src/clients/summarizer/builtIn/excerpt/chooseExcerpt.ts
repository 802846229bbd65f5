import { setImmediate } from 'node:timers/promises';
import type { MessengerMessage } from '../../../messenger/types.ts';
import type { Conversation } from '../../conversation.ts';
import type { Exchange, Line, SummaryStyle } from '../../types.ts';
import type { Turn } from '../reading.ts';
import type { Task } from '../tasks.ts';
import { doneIn } from './done.ts';
import { joined, LineWriter } from './lines.ts';
import { chooseMatters, type Limits } from './matters.ts';
import { oddsOf, type Weights } from './odds.ts';
import { readSignals } from './signals.ts';
import { threadsIn } from './threads.ts';
import { WEIGHTS } from './weights.ts';

const LIMITS: Record<SummaryStyle, Limits> = {
  MINIMAL: { matters: 1, each: 3, all: 3 },
  BUSINESS: { matters: 4, each: 5, all: 14 },
  DETAILED: { matters: 8, each: 5, all: 30 },
};

/** What was read of a conversation, and how much of it is to be shown. */
type Excerpted = {
  turns: Turn[];
  tasks: Task[];
  conversation: Conversation;
  messages: readonly MessengerMessage[];
  style: SummaryStyle;
};

/**
 * The exchanges that whoever was not there should see, in people's own words: the newest day first, each
 * day in the order in which it was said. Empty where nothing may or need be shown. Between its steps the event loop gets
 * its turn.
 */
export async function chooseExcerpt(read: Excerpted, weights: Weights = WEIGHTS): Promise<Exchange[]> {
  const { turns, tasks, conversation, messages, style } = read;
  const odds = readSignals(turns, tasks, conversation).map(signals => oddsOf(signals, weights));
  await setImmediate();
  const done = doneIn(turns, tasks);
  const writer = new LineWriter(turns, messages, done, conversation.timezone);
  const threads = threadsIn(turns, { odds, done, isGroup: conversation.isGroup });
  const chosen = chooseMatters(
    threads,
    turns,
    odds,
    LIMITS[style],
    at => !isFiller(turns[at]) && writer.write(at) !== null,
  );
  await setImmediate();
  return chosen
    .filter(([first = 0, ...others]) => others.length > 0 || saysSomething(turns[first]))
    .toSorted(([one = 0], [other = 0]) => one - other)
    .map(shown => exchangeOf(shown, turns, writer))
    .toSorted((one, other) => other.opener.day.localeCompare(one.opener.day));
}

/** Thanks and greetings; a yes, a no or a "done" is an answer. */
function isFiller(turn: Turn | undefined): boolean {
  const says = turn?.readings.some(
    ({ isSmallTalk, accepts, refuses, isDone }) => !isSmallTalk || accepts || refuses || isDone,
  );
  return !says && turn?.utterance.media === null;
}

/** More than a lone "ok", which answers what was not shown. */
function saysSomething(turn: Turn | undefined): boolean {
  return turn?.utterance.media !== null || turn.readings.some(({ sentence }) => sentence.stems.length > 0);
}

function exchangeOf(shown: number[], turns: Turn[], writer: LineWriter): Exchange {
  const lines = joined(
    shown.flatMap(at => writer.write(at) ?? []),
    turns,
  );
  const [opener, ...answers] = lines as [Line, ...Line[]];
  return { opener, answers, isOver: endsMatter(turns[shown.at(-1) ?? 0], lines) };
}

/** Done, cancelled, decided or refused: nothing about it goes on. */
function endsMatter(last: Turn | undefined, lines: Line[]): boolean {
  if (lines.at(-1)?.isDone) return true;
  return (
    last?.readings.some(
      ({ sentence, lexicon, folded, refuses, moves }) =>
        !sentence.isQuestion &&
        moves.length === 0 &&
        (refuses || lexicon.acts.decides.test(folded) || lexicon.promises.dropped.test(folded)),
    ) ?? false
  );
}
