import type { Commitment } from '../commitments.ts';
import type { Turn } from '../reading.ts';

/**
 * The messages that say or show that something is done, each with the message in which that was asked for, promised or
 * proposed.
 */
export function doneIn(turns: Turn[], commitments: Commitment[]): Map<string, string> {
  const done = commitments.flatMap((commitment): [string, string][] => {
    const by = commitment.state === 'done' ? messageThatShows(commitment, turns) : null;
    const opener = commitment.readings[0]?.sentence.utterance.messageId;
    return by !== null && opener !== undefined ? [[by, opener]] : [];
  });
  return new Map(done);
}

function messageThatShows({ outcome, lastTurn, readings }: Commitment, turns: Turn[]): string | null {
  // A file without words leaves the words of the commitment as its outcome.
  const last = turns[lastTurn]?.utterance;
  if (last?.media && (outcome === null || readings.includes(outcome))) return last.messageId;
  // "I will send you the signed contract" sends nothing yet.
  const isPromised = outcome?.moves.some(({ act }) => act === 'promise');
  const says = outcome?.isDone && !isPromised && !outcome.refuses && !outcome.sentence.isQuestion;
  return says ? outcome.sentence.utterance.messageId : null;
}
