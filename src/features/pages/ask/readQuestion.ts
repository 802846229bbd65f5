import { wordsIn } from '../../digests/search/rules.ts';
import { readDays } from './readDays.ts';
import { directionOf, factOf, mattersOf } from './rules.ts';
import type { Question } from './schema.ts';

/** Takes a question apart. @param today the user's present day, YYYY-MM-DD */
export function readQuestion(typed: string, today: string): Question {
  const words = wordsIn(typed);
  const said = ` ${words.join(' ')} `;
  const read = readDays(words, today);
  return {
    typed,
    words: mattersOf(words.filter(word => !read?.said.includes(word))),
    fact: factOf(said),
    direction: directionOf(said),
    days: read?.days,
  };
}
