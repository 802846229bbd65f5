import { consonantsOf } from '../../../lib/names/romanise.ts';
import { once } from '../../../lib/once.ts';
import type { Conversation } from '../conversation.ts';
import { placesSaid } from './placesSaid.ts';

const WORD = /[\p{L}\p{M}]+/gu;
const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;
/** By which people are addressed; what languages without capitals call them is no name in others. */
const TITLES =
  /^(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Herrn|Frau|Sr|Sra|Señor|Señora|Monsieur|Madame|Mme|Signor|Signora|Pan|Pani|Г-н|Г-жа|Bey|Hanım)$/u;
/** Scripts that leave out most vowels: "أحمد" is Ahmed. */
const WITHOUT_VOWELS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const FEWEST_CONSONANTS = 3;

/**
 * Tells whether a word that no message has is only how another language writes what they say: a title, the name of a
 * country or language, a person's name in letters with vowels.
 * @param language ISO 639-1 of the text that the word is in
 */
export function namedAbroad(
  { conversation, texts }: { conversation: Conversation; texts: readonly string[] },
  language: string,
): (word: string) => boolean {
  const isPlaceSaid = once(() => placesSaid(texts, [conversation.language, language]));
  const skeletons = once(() => {
    const words = [...texts, ...conversation.names.words].join(' ').match(WORD) ?? [];
    return new Set(words.filter(word => WITHOUT_VOWELS.test(word)).map(consonantsOf));
  });
  return found => {
    const word = found.replaceAll(EDGES, '').split(/['’]/u)[0] ?? '';
    if (TITLES.test(word) || isPlaceSaid()(word)) return true;
    const skeleton = /^\p{L}+$/u.test(word) ? consonantsOf(word) : '';
    return skeleton.length >= FEWEST_CONSONANTS && skeletons().has(skeleton);
  };
}
