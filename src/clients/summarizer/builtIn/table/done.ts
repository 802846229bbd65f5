import type { Task } from '../tasks.ts';
import { asSentence } from '../text.ts';

/**
 * "Lena hat den Vertrag geschickt.": what somebody has done, as a sentence; null where the past would have to be guessed. Where it
 * has a gender, it is taken from their own words.
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
