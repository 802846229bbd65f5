import { setImmediate } from 'node:timers/promises';
import type { Conversation } from '../../conversation.ts';
import type { Exchange, Line, SummaryStyle } from '../../types.ts';
import type { Commitment } from '../commitments.ts';
import type { Turn } from '../reading.ts';
import { doneIn } from './done.ts';
import { joined, type LineWriter } from './lines.ts';
import { oddsOf, type Weights } from './odds.ts';
import { choosePassages, type Limits } from './passages.ts';
import { readSignals } from './signals.ts';
import { WEIGHTS } from './weights.ts';

const LIMITS: Record<SummaryStyle, Limits> = {
  MINIMAL: { passages: 1, messages: 4 },
  BUSINESS: { passages: 4, messages: 20 },
  DETAILED: { passages: 8, messages: 30 },
};

/** How often passages are chosen anew without what may not be shown. */
const TRIES = 3;

/** What was read of a conversation, and how much of it is to be shown. */
type Excerpted = {
  turns: Turn[];
  commitments: Commitment[];
  conversation: Conversation;
  writer: LineWriter;
  style: SummaryStyle;
};

/**
 * The exchanges that whoever was not there should see, in people's own words: the newest day first, each
 * day in the order in which it was said. Empty where nothing may or need be shown. Between its steps the event loop gets
 * its turn.
 */
export async function chooseExcerpt(read: Excerpted, weights: Weights = WEIGHTS): Promise<Exchange[]> {
  const { turns, commitments, conversation, writer, style } = read;
  const odds = readSignals(turns, commitments, conversation).map(signals => oddsOf(signals, weights));
  await setImmediate();
  const done = doneIn(turns, commitments);
  const mayShow = (at: number) => writer.write(at) !== null;
  // What may not be shown is looked for only where it would be: that takes longer than all the rest.
  let talk = turns.filter(turn => !isMute(turn)).map(({ index }) => index);
  let passages: number[][] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    passages = choosePassages(turns, odds, talk, LIMITS[style]);
    await setImmediate();
    const hidden = new Set(passages.flat().filter(at => !mayShow(at)));
    passages = passages.map(passage => passage.filter(at => !hidden.has(at))).filter(({ length }) => length > 0);
    if (hidden.size === 0) break;
    talk = talk.filter(at => !hidden.has(at));
    await setImmediate();
  }
  return passages
    .filter(([first = 0, ...others]) => others.length > 0 || saysSomething(turns[first]))
    .map(passage => exchangeOf(passage, { turns, writer, done }))
    .toSorted((one, other) => other.opener.day.localeCompare(one.opener.day));
}

/** No more than "👍". */
function isMute({ utterance, readings }: Turn): boolean {
  return utterance.media === null && readings.every(({ sentence }) => sentence.words.length === 0);
}

/** More than a lone "ok", which answers what was not shown. */
function saysSomething(turn: Turn | undefined): boolean {
  return turn?.utterance.media !== null || turn.readings.some(({ sentence }) => sentence.stems.length > 0);
}

type Writing = { turns: Turn[]; writer: LineWriter; done: ReadonlyMap<string, string> };

function exchangeOf(passage: number[], { turns, writer, done }: Writing): Exchange {
  const shown = new Set(passage.map(at => turns[at]?.utterance.messageId));
  // A tick is understood only beside what was asked for.
  const isTicked = ({ messageId }: Line) => shown.has(done.get(messageId));
  const written = passage.flatMap(at => writer.write(at) ?? []).map(line => ({ ...line, isDone: isTicked(line) }));
  const lines = joined(written, turns);
  const [opener, ...answers] = lines as [Line, ...Line[]];
  return { opener, answers, isOver: endsMatter(turns[passage.at(-1) ?? 0], lines) };
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
