import { isSecret } from '../masking/mask.ts';
import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';
import type { Reading } from './types.ts';

/** So many turns back "it" may point. */
const REACH = 2;

/**
 * What "it" stands for in a task that doesn't say: what its speaker said just before in the same message, or what the other side
 * said right before that names its day or asks. null where none is near enough to be meant.
 */
export function contextOf({ readings, deed, context, kind }: Task, turns: Turn[]): Reading | null {
  const [first] = readings;
  if (!first) return null;
  if (context) return context;
  const toDo = deed?.toDo.toLowerCase() ?? '';
  // "One screen is broken, I'll bring it to repair": the sentence itself tells.
  if (first.sentence.stems.filter(stem => !toDo.includes(stem)).length >= 3) return first;
  // "I need the contract" – "I'll send it": what was asked for is told by whoever asked.
  const isTakenUp = first.lexicon.code !== 'en' && readings[1] && speakerOf(readings[1]) !== speakerOf(first);
  if (isTakenUp && isTelling(first)) return first;
  const { utterance } = first.sentence;
  const at = turns.findIndex(turn => turn.utterance === utterance);
  const confirmed = /^confirm /.test(toDo) ? first.moves.find(move => move.deed === deed)?.when : null;
  const named = confirmed && namingDay(confirmed.date, turns.slice(0, at));
  if (named) return named;
  const own = turns[at]?.readings.filter(({ index }) => index < first.index).filter(isTelling) ?? [];
  const before = turns
    .slice(Math.max(0, at - REACH), at)
    .filter(({ utterance: { forwarded, day } }) => !forwarded && day === utterance.day);
  // "Te las mando": only English is sure to say "it" as a word of its own.
  const isPronoun =
    (first.lexicon.code !== 'en' && kind === 'promise') ||
    POINTS.test(toDo) ||
    /\p{N}/u.test(turns[at - 1]?.readings[0]?.sentence.text ?? '');
  const last = before.findLastIndex(({ utterance: { speaker } }) => speaker !== utterance.speaker);
  // Nothing but what came right before can be "it".
  const right = isPronoun ? [...before.slice(Math.max(0, last))] : before.slice(last + 1);
  const said = right.flatMap(turn => turn.readings).filter(isTelling);
  const asked = before
    .flatMap(turn => turn.readings)
    .findLast(reading => speakerOf(reading) !== utterance.speaker && (isQuestion(reading) || isAsking(reading)));
  const mine = own.at(-1);
  // In words of its own a promise is told beside the question that it answers.
  return (deed ? (mine ?? asked) : (asked ?? mine)) ?? said.at(-1) ?? null;
}

const POINTS = /(?<!\p{L})(?:it|them|this|that|these|those|both|one|him|her)(?!\p{L})/u;

/** "Can you confirm the 11th?" is about what was proposed for that day. */
function namingDay(date: string, turns: Turn[]): Reading | null {
  return turns.flatMap(({ readings }) => readings).findLast(({ when }) => when?.date === date) ?? null;
}

function speakerOf({ sentence }: Reading): string {
  return sentence.utterance.speaker;
}

function isTelling({ sentence, isSmallTalk }: Reading): boolean {
  return !isSmallTalk && sentence.stems.length >= 2 && !isSecret(sentence.text);
}

function isAsking({ moves, sentence, isSmallTalk }: Reading): boolean {
  const asks = moves.some(({ act, strength }) => (act === 'request' || act === 'need') && strength >= 0.3);
  return asks && !isSmallTalk && sentence.stems.length > 0;
}

function isQuestion({ sentence, isSmallTalk }: Reading): boolean {
  return sentence.isQuestion && !isSmallTalk && sentence.stems.length > 0;
}
