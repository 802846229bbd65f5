import type { Turn } from '../reading.ts';
import { alike, isAbout } from '../stems.ts';
import type { Odds } from './odds.ts';

/** Log odds, found by trying on labelled days: above them something new begins. */
const OPENS = -0.15;
/** Milliseconds within which a writer goes on, and another one reacts. After the latter, an answer must show that it is one. */
const AT_ONCE = 120_000;
const SOON = 3_600_000;
/** How much more it takes, in log odds, where the same writer goes on at once or another one reacts without asking. */
const GOES_ON = 0.5;

type Heard = { odds: Odds[]; done: ReadonlyMap<string, string>; isGroup: boolean };
type Thread = { day: string; indexes: number[]; stems: Set<string>; speakers: Set<string>; called: Set<string> };

/**
 * All turns, by index, by what they are about, in the order in which that came up. A reply belongs to what it replies to,
 * and what is done to where it was asked for, wherever that was said; no thread lasts longer than a day.
 */
export function threadsIn(turns: Turn[], { odds, done, isGroup }: Heard): number[][] {
  const threads: Thread[] = [];
  const threadOf = new Map<string | null | undefined, Thread>();
  const speakers = new Set(turns.map(({ utterance }) => utterance.speaker));
  for (const [at, turn] of turns.entries()) {
    const { messageId, replyTo, day, speaker } = turn.utterance;
    const answered = threadOf.get(replyTo) ?? threadOf.get(done.get(messageId));
    const called = isGroup ? calledIn(turn, speakers) : new Set<string>();
    const latest = threads.findLast(thread => thread.day === day && isAmong(thread, turn, called));
    const before = turns[latest?.indexes.at(-1) ?? -1];
    const goesOn = latest !== undefined && !beginsNew(turn, before, odds[at], latest);
    const current = answered?.day === day ? answered : goesOn ? latest : undefined;
    const thread = current ?? { day, indexes: [], stems: new Set(), speakers: new Set(), called };
    if (!current) threads.push(thread);
    thread.indexes.push(at);
    thread.speakers.add(speaker);
    for (const { sentence } of turn.readings) for (const stem of sentence.stems) thread.stems.add(stem);
    threadOf.set(messageId, thread);
  }
  return threads.map(({ indexes }) => indexes);
}

/** The others whom a message in a group calls by their first name. */
function calledIn({ readings, utterance }: Turn, speakers: ReadonlySet<string>): Set<string> {
  const words = readings.flatMap(({ sentence }) => sentence.words);
  const isCalled = (name: string) => {
    const [first = ''] = name.toLowerCase().split(' ');
    return words.some(word => alike(word, first));
  };
  return new Set([...speakers].filter(name => name !== utterance.speaker && isCalled(name)));
}

/** Whether a message may go on with a thread: what is said to, or asked of, someone else does not. */
function isAmong(
  { speakers, called, stems }: Thread,
  { utterance, readings }: Turn,
  calls: ReadonlySet<string>,
): boolean {
  if (calls.size > 0 && calls.isDisjointFrom(speakers)) return false;
  if (called.size === 0 || called.has(utterance.speaker) || speakers.has(utterance.speaker)) return true;
  return readings.some(({ sentence }) => isAbout(stems, sentence.stems));
}

function beginsNew(turn: Turn, before: Turn | undefined, odds: Odds | undefined, thread: Thread): boolean {
  const { utterance, readings } = turn;
  if (!before || !odds) return true;
  const isSame = before.utterance.speaker === utterance.speaker;
  const pause = utterance.sentAt.getTime() - before.utterance.sentAt.getTime();
  const asks = readings.some(({ sentence }) => sentence.isQuestion);
  if (pause > SOON && (asks || !answersLate(turn, thread))) return true;
  const isBound = isSame ? pause <= AT_ONCE : pause <= SOON && !asks;
  return odds.opens > OPENS + (isBound ? GOES_ON : 0);
}

/** After an hour, people answer with a yes, a no, a day, a file or in the words of the question, or they don't answer it. */
function answersLate({ utterance, readings }: Turn, { stems }: Thread): boolean {
  return (
    utterance.media !== null ||
    readings.some(
      ({ sentence, accepts, refuses, isDone, when }) =>
        accepts || refuses || isDone || when !== null || isAbout(stems, sentence.stems),
    )
  );
}
