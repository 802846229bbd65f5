import { addressesMachine } from '../addressesMachine.ts';
import { addressesIn } from '../checker/addresses.ts';
import { createGround, unfounded } from '../checker/unfounded.ts';
import { fold } from '../cleaning.ts';
import { detectLanguage } from '../language.ts';
import { packOf } from '../languages/pack.ts';
import { markedText } from '../openai/plainText.ts';
import { contentWords, wordsOf } from '../words.ts';
import { LONGEST_SENTENCE } from './prompt.ts';
import type { AnswerPassage, AnswerSentence } from './types.ts';

/**
 * Those of a model's sentences of which the passages that they name say every number, amount, day, name, address and
 * handle, and at least a word: never one without a passage.
 */
export async function foundedSentences(
  sentences: readonly AnswerSentence[],
  passages: readonly AnswerPassage[],
  question: string,
): Promise<AnswerSentence[]> {
  const byNumber = new Map(passages.map(passage => [passage.n, passage]));
  // What the person wrote in small letters is no name.
  const asked = new Set((question.match(/\p{L}[\p{L}\p{M}'-]*/gu) ?? []).filter(word => /^\p{Ll}/u.test(word)));
  const founded: AnswerSentence[] = [];
  for (const { text, passages: named } of sentences) {
    const cited = [...new Set(named)].flatMap(n => byNumber.get(n) ?? []);
    const addresses = addressesIn(cited.flatMap(textsOf));
    const plain = markedText(text, 2 * LONGEST_SENTENCE, { addresses, secrets: new Set() });
    const isShown = plain.length <= LONGEST_SENTENCE && /\p{L}/u.test(plain) && !addressesMachine(plain);
    if (cited.length > 0 && isShown && (await isFounded(plain, cited, asked)))
      founded.push({ text: plain, passages: cited.map(({ n }) => n) });
  }
  return founded;
}

async function isFounded(text: string, cited: readonly AnswerPassage[], asked: ReadonlySet<string>): Promise<boolean> {
  const texts = cited.flatMap(textsOf);
  const languages = [detectLanguage(texts), detectLanguage([text])] as const;
  const ground = await createGround({
    ...{ languages, timezone: 'UTC', strict: { asked } },
    said: cited.flatMap(({ lines, day }) => {
      const sentAt = new Date(`${day}T12:00:00Z`);
      return lines.map(line => ({ text: line, language: languages[0], sentAt }));
    }),
    names: cited.flatMap(({ peer, promise }) => [peer, promise?.by ?? '']),
    days: cited.flatMap(({ promise }) => promise?.dueDate ?? []),
    hours: cited.flatMap(({ promise }) => promise?.dueTime ?? []),
  });
  const words = contentWords(wordsOf(fold(text, languages[1])), packOf(languages[1]));
  return words.some(ground.words.isNameSaid) && unfounded(text, ground).length === 0;
}

function textsOf({ peer, lines, promise }: AnswerPassage): string[] {
  return [peer, promise?.by ?? '', ...lines];
}
