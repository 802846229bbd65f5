import { isSecret } from '../masking/mask.ts';
import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';
import type { Reading } from './types.ts';

/** So many turns back "it" may point. */
const REACH = 2;

/**
 * What "it" stands for in a task that doesn't say: what its speaker said just before, the question it answers, or the last
 * thing said before it. null where none is near enough to be meant.
 */
export function contextOf({ readings, deed }: Task, turns: Turn[]): Reading | null {
  const [first] = readings;
  if (!first) return null;
  const toDo = deed?.toDo.toLowerCase() ?? '';
  // "One screen is broken, I'll bring it to repair": the sentence itself tells.
  if (first.sentence.stems.filter(stem => !toDo.includes(stem)).length >= 3) return first;
  // "I need the contract" – "I'll send it": what was asked for is told by whoever asked.
  const isTakenUp = first.lexicon.code !== 'en' && readings[1] && speakerOf(readings[1]) !== speakerOf(first);
  if (isTakenUp && isTelling(first)) return first;
  const { utterance } = first.sentence;
  const at = turns.findIndex(turn => turn.utterance === utterance);
  const own = turns[at]?.readings.filter(({ index }) => index < first.index).filter(isTelling) ?? [];
  const before = turns
    .slice(Math.max(0, at - REACH), at)
    .filter(({ utterance: { forwarded, day } }) => !forwarded && day === utterance.day)
    .flatMap(turn => turn.readings.filter(reading => isTelling(reading) || isQuestion(reading)));
  const asked = before.findLast(
    ({ sentence }) => sentence.isQuestion && sentence.utterance.speaker !== utterance.speaker,
  );
  const said = own.at(-1);
  // In words of its own a promise is told beside the question that it answers.
  return (deed ? (said ?? asked) : (asked ?? said)) ?? before.findLast(isTelling) ?? null;
}

function speakerOf({ sentence }: Reading): string {
  return sentence.utterance.speaker;
}

function isTelling({ sentence, isSmallTalk }: Reading): boolean {
  return !isSmallTalk && sentence.stems.length >= 2 && !isSecret(sentence.text);
}

function isQuestion({ sentence, isSmallTalk }: Reading): boolean {
  return sentence.isQuestion && !isSmallTalk && sentence.stems.length > 0;
}
