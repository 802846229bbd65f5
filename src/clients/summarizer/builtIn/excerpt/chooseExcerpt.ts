import type { MessengerMessage } from '../../../messenger/types.ts';
import type { Conversation } from '../../conversation.ts';
import type { SummaryStyle } from '../../types.ts';
import type { OpenTask } from '../items.ts';
import type { Turn } from '../reading.ts';
import type { Task } from '../tasks.ts';
import { joined, LineWriter } from './lines.ts';
import { chooseMatters, type Limits } from './matters.ts';
import { oddsOf } from './odds.ts';
import { readSignals } from './signals.ts';
import type { Exchange, Line } from './types.ts';
import { WEIGHTS } from './weights.ts';

const LIMITS: Record<SummaryStyle, Limits> = {
  MINIMAL: { matters: 1, each: 4, all: 4 },
  BUSINESS: { matters: 4, each: 5, all: 14 },
  DETAILED: { matters: 8, each: 5, all: 30 },
};

/** What was read of a conversation, and how much of it is to be shown. */
type Excerpted = {
  turns: Turn[];
  tasks: Task[];
  open: OpenTask[];
  conversation: Conversation;
  messages: readonly MessengerMessage[];
  style: SummaryStyle;
};

/**
 * The exchanges that whoever was not there should see, in people's own words: the newest day first, within a day what is
 * over before what goes on, else in the order in which it was said. Empty where nothing may or need be shown.
 */
export function chooseExcerpt({ turns, tasks, open, conversation, messages, style }: Excerpted): Exchange[] {
  const odds = readSignals(turns, tasks, open).map(signals => oddsOf(signals, WEIGHTS));
  const writer = new LineWriter(turns, tasks, messages, conversation.timezone);
  const chosen = chooseMatters(turns, odds, LIMITS[style], at => writer.write(at) !== null);
  return chosen
    .toSorted(([one = 0], [other = 0]) => one - other)
    .map(shown => exchangeOf(shown, turns, writer))
    .toSorted(
      (one, other) =>
        other.opener.day.localeCompare(one.opener.day) || Number(other.isOver) - Number(one.isOver),
    );
}

function exchangeOf(shown: number[], turns: Turn[], writer: LineWriter): Exchange {
  const lines = joined(shown.flatMap(at => writer.write(at) ?? []), turns);
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
