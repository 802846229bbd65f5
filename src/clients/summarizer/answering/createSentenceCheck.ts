import { Temporal } from 'temporal-polyfill';
import { romanise } from '../../../lib/names/romanise.ts';
import { addressesMachine } from '../addressesMachine.ts';
import { fold } from '../cleaning.ts';
import { detectLanguage } from '../language.ts';
import { stopwordsOf } from '../languages/stopwords.ts';
import { addressesIn, REMOVED } from '../openai/addresses.ts';
import { markedText } from '../openai/plainText.ts';
import { stem, wordsOf } from '../words.ts';
import { areSaid, type Figures, figuresIn } from './figures.ts';
import { daysCountedIn, daysNamedIn, meaningsOf } from './namedDays.ts';
import { LONGEST_SENTENCE } from './prompt.ts';
import type { AnswerPassage, AnswerSentence } from './types.ts';

/** What the passages that a sentence names say. */
type Ground = {
  texts: string[];
  words: Set<string>;
  stems: Set<string>;
  /** Each word in every way to write it in Latin letters, for names. */
  romanised: Set<string>;
  figures: Figures;
  /** YYYY-MM-DD: when it was said, until when it is due, and what "tomorrow" in it means. */
  days: string[];
  /** The weekdays and months that may be named. */
  meanings: Set<string>;
  /** The days on which it was said: named with their number only, or one might be taken for what was agreed on. */
  saidOn: string[];
};

/** Letters by which an inflected name may differ from the one that was said. */
const MOST_ENDING = 3;
/** Capitals that are no names. */
const POLITE = new Set(
  "i i'm i've i'll sie ihnen ihr ihre ihrem ihren ihrer ihres du dir dich dein deine deinem deinen deiner ok".split(
    ' ',
  ),
);

/**
 * Returns a check that lets a model's sentence through only if the passages that it names say every number, amount, day,
 * name, address and handle in it: undefined for any other. Never lets through a sentence without a passage.
 */
export function createSentenceCheck(
  passages: readonly AnswerPassage[],
  { question, secrets }: { question: string; secrets: ReadonlySet<string> },
): (sentence: AnswerSentence) => AnswerSentence | undefined {
  const byNumber = new Map(passages.map(passage => [passage.n, passage]));
  // What the person wrote in small letters is no name.
  const asked = new Set((question.match(/\p{L}[\p{L}\p{M}'-]*/gu) ?? []).filter(word => /^\p{Ll}/u.test(word)));
  return ({ text, passages: named }) => {
    const cited = [...new Set(named)].flatMap(n => byNumber.get(n) ?? []);
    if (cited.length === 0) return undefined;
    const ground = groundOf(cited);
    const plain = markedText(text, 2 * LONGEST_SENTENCE, { addresses: addressesIn(ground.texts), secrets });
    const isShown = plain.length <= LONGEST_SENTENCE && /\p{L}/u.test(plain) && !plain.includes(REMOVED);
    if (!isShown || addressesMachine(plain) || !isFounded(plain, ground, asked)) return undefined;
    return { text: plain, passages: cited.map(({ n }) => n) };
  };
}

function groundOf(cited: readonly AnswerPassage[]): Ground {
  const texts = cited.flatMap(({ peer, lines, promise }) => [peer, promise?.by ?? '', ...lines]);
  const words = new Set(texts.flatMap(text => wordsOf(fold(text, 'en'))));
  const days = [...new Set(cited.flatMap(daysOf))];
  const language = detectLanguage(texts);
  const hours = cited.flatMap(({ promise }) => promise?.dueTime ?? []);
  return {
    ...{ texts, words, days, stems: new Set([...words].map(stem)) },
    romanised: new Set([...words].flatMap(romanise)),
    figures: figuresIn([...texts, ...hours].join('\n'), language),
    saidOn: cited.map(({ day }) => day),
    meanings: new Set([
      ...texts.flatMap(text => daysNamedIn(text).flatMap(({ meanings }) => [...meanings])),
      ...cited.flatMap(daysMeant).flatMap(meaningsOf),
    ]),
  };
}

function daysOf(passage: AnswerPassage): string[] {
  return [passage.day, ...daysMeant(passage)];
}

function daysMeant({ day, lines, promise }: AnswerPassage): string[] {
  const said = Temporal.PlainDate.from(day);
  const counted = lines.flatMap(daysCountedIn).filter(days => Math.abs(days) <= 2);
  return [...counted.map(days => said.add({ days }).toString()), ...(promise?.dueDate ? [promise.dueDate] : [])];
}

function isFounded(text: string, ground: Ground, asked: ReadonlySet<string>): boolean {
  // Read today, "tomorrow" would be another day than where it was said.
  if (daysCountedIn(text).length > 0) return false;
  const named = daysNamedIn(text);
  const language = detectLanguage([text]);
  const figures = figuresIn(text, language);
  const numbered = ground.saidOn.filter(day => figures.values.has(String(Number(day.slice(-2)))));
  const mayBe = new Set([...ground.meanings, ...numbered.flatMap(meaningsOf)]);
  if (!named.every(({ meanings }) => [...meanings].some(meaning => mayBe.has(meaning)))) return false;
  const dates = ground.days.map(day => day.split('-').map(part => part.replace(/^0+(?=\d)/, '')));
  if (!areSaid(figures, ground.figures, dates)) return false;
  const dayNames = new Set(named.map(({ word }) => word));
  return areWordsSaid(text, { ground, asked, dayNames, stopwords: stopwordsOf(language) });
}

type About = {
  ground: Ground;
  asked: ReadonlySet<string>;
  dayNames: ReadonlySet<string>;
  stopwords: ReadonlySet<string>;
};

/** Names, and in scripts without capitals all words that mean something; and at least something of what was said. */
function areWordsSaid(text: string, { ground, asked, dayNames, stopwords }: About): boolean {
  const small = (word: string) => fold(word, 'en');
  let shared = 0;
  for (const { word, isFirst } of wordsWithPlace(text)) {
    const folded = small(word);
    const isStop = stopwords.has(folded) || POLITE.has(folded);
    const isIn = isSaid(folded, ground);
    if (isIn && !isStop) shared += 1;
    if (isIn || dayNames.has(word) || /^\p{N}/u.test(word)) continue;
    const isName = /\p{Lu}/u.test(word) && !POLITE.has(folded);
    if (isName && !(isFirst && (isStop || asked.has(folded)))) return false;
    if (/\p{Lo}/u.test(word) && !isStop && !ground.texts.some(said => said.includes(word))) return false;
  }
  return shared > 0;
}

function wordsWithPlace(text: string): { word: string; isFirst: boolean }[] {
  return [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)].flatMap(({ 0: found, index }) => {
    const begun =
      text
        .slice(0, index)
        .split(/[.!?…:]\s/u)
        .at(-1) ?? '';
    const isFirst = !/[\p{L}\p{N}]/u.test(begun);
    const words = /\p{Lo}/u.test(found) ? wordsOf(found) : found.split(/(?<=\p{L})-(?=\p{L})/u);
    return words.map((word, at) => ({ word, isFirst: isFirst && at === 0 }));
  });
}

/** As it is written there, inflected, or in another script. */
function isSaid(word: string, { words, stems, romanised }: Ground): boolean {
  const bare = word.replace(/['’]\p{L}{0,2}$/u, '');
  if (words.has(word) || words.has(bare)) return true;
  if (stems.has(stem(bare)) && [...words].some(said => isInflected(said, bare))) return true;
  return romanise(bare).some(form => romanised.has(form) || [...romanised].some(said => isInflected(said, form)));
}

/** Whether one is the other with another ending. */
function isInflected(one: string, other: string): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one];
  return (
    shorter.length > MOST_ENDING &&
    longer.length - shorter.length <= MOST_ENDING &&
    longer.startsWith(shorter.slice(0, -1))
  );
}
