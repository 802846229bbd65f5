import type { Task } from '../tasks.ts';
import { asSentence } from '../text.ts';

/**
 * "Lena hat den Vertrag geschickt.": a finished task as a sentence; null where the past form would have to be guessed. A past
 * form that depends on gender is taken from the speaker's own words.
 */
export function toldDone({ deed, outcome, readings: [first] }: Task, name: string): string | null {
  if (!deed?.done || deed.isVague || deed.isRough || !outcome || !first) return null;
  const { grammar } = first.lexicon;
  const { forms, rest } = deed.done;
  if (!grammar) return null;
  const said = outcome.sentence.words.find(word => forms.includes(word));
  if (grammar.did && forms[0] && said && rest)
    return asSentence(`${name} ${grammar.did.replace('{done}', forms[0]).replace('{rest}', () => rest)}`);
  return said && outcome.sentence.utterance.speaker === name ? asSentence(`${name} ${said} ${rest}`) : null;
}
