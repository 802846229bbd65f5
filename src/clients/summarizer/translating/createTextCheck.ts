import { romanise } from '../../../lib/names/romanise.ts';
import { fold } from '../cleaning.ts';
import type { Conversation } from '../conversation.ts';
import type { Language } from '../languages/types.ts';
import { foreignCurrencies } from '../openai/currencies.ts';
import { createWordCheck } from '../openai/foreignWords.ts';
import { createDayCheck } from '../openai/namedDays.ts';
import type { createNumberCheck } from '../openai/numbers.ts';
import { keepsFigures } from './keepsFigures.ts';
import { namedAbroad } from './namedAbroad.ts';
import type { Piece } from './types.ts';

/** What the digest was checked against. */
export type Said = {
  conversation: Conversation;
  /** Of the messages, as far as they were read. */
  texts: readonly string[];
  checkNumbers: Awaited<ReturnType<typeof createNumberCheck>>;
};

const WORD = /[\p{L}\p{M}]+/gu;
const SHORTEST_NAME = 3;
/** A translation may be several times as long in letters: Chinese has few. */
const longestFor = (text: string) => 6 * text.length + 60;

/**
 * Checks a translated text as the original was: its numbers, days, currencies, names and addresses are in the messages
 * it rests on, and, beyond that, its figures, quotes and people are those of the original.
 */
export async function createTextCheck(
  { conversation, texts, checkNumbers }: Said,
  language: Language,
): Promise<(piece: Piece, translated: string) => boolean> {
  const foreignWords = await createWordCheck({ texts, conversation, writtenIn: language });
  const namesForeignDay = createDayCheck(conversation, language);
  const isNamedAbroad = namedAbroad({ conversation, texts }, language);
  const currenciesIn = (text: string) => foreignCurrencies(text, texts, conversation.language);
  const people = [...conversation.names.words].filter(word => word.length >= SHORTEST_NAME).map(formsOf);
  const wordsIn = (text: string) => (text.match(WORD) ?? []).filter(word => !/^\p{Ll}/u.test(word)).map(formsOf);
  const isNamed = (person: string[], forms: string[]) => forms.some(form => person.includes(form));
  /** In another case, a name has another ending: "Марине" is Марина. */
  const mayBeNamed = (person: string[], forms: string[]) =>
    forms.some(form => person.some(name => stemOf(form) === stemOf(name) || form.startsWith(stemOf(name))));

  return ({ text, messageIds, days, isTitle }, translated) => {
    if (translated.length > longestFor(text) || !keepsFigures(text, translated)) return false;
    const cited = conversation.utterances.filter(({ messageId }) => messageIds.includes(messageId));
    const [own, found] = [text, translated].map(one => checkNumbers(one, messageIds, days));
    if (found?.foreign.some(number => !own?.foreign.includes(number))) return false;
    if (messageIds.length > 0 && found?.elsewhere.some(id => !own?.elsewhere.includes(id))) return false;
    if (!foreignWords(translated, isTitle).every(isNamedAbroad)) return false;
    if (currenciesIn(translated).length > currenciesIn(text).length) return false;
    if (namesForeignDay(translated, cited.length > 0 ? cited : conversation.utterances, days)) return false;
    const [before, after] = [wordsIn(text), wordsIn(translated)];
    const added = people.filter(person => after.some(word => isNamed(person, word)));
    return added.every(person => before.some(word => mayBeNamed(person, word)));
  };
}

/** Names in most languages end differently in other cases. */
function stemOf(name: string): string {
  return name.slice(0, Math.max(SHORTEST_NAME, name.length - 1));
}

function formsOf(word: string): string[] {
  return [fold(word, 'und'), ...romanise(word)];
}
