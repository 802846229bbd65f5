import { fold } from '../cleaning.ts';
import { stopwordsOf, WORDS_OF_LETTERS } from '../languages/stopwords.ts';
import type { Exchange } from '../types.ts';
import type { ScoredRequest } from './readRequest.ts';

const MAX_TOPICS = 3;
const LETTERS = 4;
const STEM = 5;
/** Chosen lines that share a word before it is a topic. */
const MIN_MENTIONS = 2;

/** Words that several of the chosen lines share, those of most lines first: none that everyone uses, no names, no figures. */
export function findTopics({ language, names }: ScoredRequest, exchanges: Exchange[]): string[] {
  const stopwords = stopwordsOf(language);
  const found = new Map<string, { word: string; lines: Set<string> }>();
  for (const { opener, answers } of exchanges)
    for (const { spans } of [opener, ...answers])
      for (const { text, messageId } of spans)
        for (const word of text.match(WORDS_OF_LETTERS) ?? []) {
          const folded = fold(word, language);
          if (folded.length < LETTERS || stopwords.has(folded) || names.words.has(folded)) continue;
          const known = found.get(folded.slice(0, STEM)) ?? { word, lines: new Set<string>() };
          known.lines.add(messageId);
          found.set(folded.slice(0, STEM), known);
        }
  return [...found.values()]
    .filter(({ lines }) => lines.size >= MIN_MENTIONS)
    .toSorted((a, b) => b.lines.size - a.lines.size || b.word.length - a.word.length)
    .slice(0, MAX_TOPICS)
    .map(({ word }) => word);
}
