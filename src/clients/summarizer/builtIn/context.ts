import { isSecret } from '../masking.ts';
import type { Turn } from './reading.ts';
import type { Task } from './tasks.ts';
import type { Reading } from './types.ts';

/** So many sentences back "it" may point. */
const REACH = 6;

/** What "it" stands for in a task that doesn't say: the question just asked, or the last sentence with something in it. */
export function contextOf({ readings }: Task, turns: Turn[]): Reading | null {
  const [first] = readings;
  if (!first) return null;
  const { speaker } = first.sentence.utterance;
  const before = turns
    .flatMap(({ readings: of, utterance }) => (utterance.forwarded ? [] : of))
    .filter(({ index }) => index < first.index && index >= first.index - REACH)
    .filter(({ sentence, isSmallTalk }) => !isSmallTalk && sentence.stems.length >= 2 && !isSecret(sentence.text));
  const asked = before.findLast(({ sentence }) => sentence.isQuestion && sentence.utterance.speaker !== speaker);
  return asked ?? before.at(-1) ?? null;
}
