import { isSecret } from '../masking/mask.ts';
import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';
import type { Reading } from './types.ts';

/** How many turns back "it" may refer. */
const REACH = 2;

/**
 * What "it" stands for in a task that doesn't say: what its speaker said just before in the same message, or what the
 * other side said right before that names its day or asks. Returns null if nothing is near enough to be meant.
 */
export function contextOf({ readings, deed, context, kind }: Task, turns: Turn[]): Reading | null {
  const [first] = readings;
  if (!first) return null;
  if (context) return context;
  const toDo = deed?.toDo.toLowerCase() ?? '';
  // "One screen is broken, I'll bring it to repair": the sentence itself tells.
  if (first.sentence.stems.filter(stem => !toDo.includes(stem)).length >= 3) return first;
  // "I need the contract" – "I'll send it": the request says what was asked for.
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
  // "It" can only be what came right before.
  const right = isPronoun ? [...before.slice(Math.max(0, last))] : before.slice(last + 1);
  const said = right.flatMap(turn => turn.readings).filter(isTelling);
  const heard = before.flatMap(turn => turn.readings).filter(reading => speakerOf(reading) !== utterance.speaker);
  const asked = heard.findLast((reading, index) => isQuestion(reading) || isAsking(reading) || isNod(heard, index + 1));
  const mine = own.at(-1);
  // "I'll tell you on Friday" answers a question, which then is its context, as it is for a task without a deed.
  const isAnswer = asked && toDo.replace(ANSWERS, '').startsWith(speakerOf(asked).toLowerCase());
  return (deed && !isAnswer ? (mine ?? asked) : (asked ?? mine)) ?? said.at(-1) ?? null;
}

const ANSWERS = /^(?:tell|answer|inform|get back to|come back to) /;

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

/** "180 euro with material. yes or no?": the question behind it says nothing itself. */
function isNod(heard: Reading[], index: number): boolean {
  const [before, nod] = [heard[index - 1], heard[index]];
  if (!before || !nod?.sentence.isQuestion || nod.sentence.stems.length > 0) return false;
  return before.sentence.utterance === nod.sentence.utterance && isTelling(before);
}

function isAsking({ moves, sentence, isSmallTalk }: Reading): boolean {
  const asks = moves.some(({ act, strength }) => (act === 'request' || act === 'need') && strength >= 0.3);
  return asks && !isSmallTalk && sentence.stems.length > 0;
}

function isQuestion({ sentence, isSmallTalk }: Reading): boolean {
  return sentence.isQuestion && !isSmallTalk && sentence.stems.length > 0;
}
