import { everywhere } from '../../languages/compile.ts';
import type { Lexicon } from '../../languages/lexicon.ts';
import type { Deed } from '../types.ts';
import type { Grammar, Word } from './parts.ts';
import type { Found } from './verbs.ts';

/** `day`: the words that name the day of the commitment, '' for none. */
type Said = { words: Word[]; found: Found; day: string };

/** Its verb in the infinitive, and the words that say what with it. */
export function deedOf(said: Said, lexicon: Lexicon, grammar: Grammar): Deed {
  const { words, found } = said;
  const { verb } = found.form;
  const covered = coveredByCues(words, lexicon, grammar);
  const rest = words.flatMap((word, at) => {
    const isLeftOut =
      at === found.at ||
      word.low === verb.particle ||
      covered.has(at) ||
      isPerson(word.low, grammar) ||
      // "When will you send it?" is a commitment without its "when".
      (at < found.at && lexicon.acts.question.test(word.low));
    return isLeftOut ? [] : [{ ...word, at }];
  });
  const hasClause =
    grammar.verbLast && words.some(({ low }, at) => at > found.at && grammar.subordinators.includes(low));
  const isWhole = hasClause || grammar.whole.includes(verb.infinitive);
  return {
    words: [verb.infinitive, ...rest.map(({ low }) => low)].join(' '),
    isVague: !isWhole && !rest.some(word => isThing(word, said, lexicon)),
    pointsBack: !hasClause && grammar.pointsBack.test(rest.map(({ low }) => low).join(' ')),
  };
}

/** "Look at it and call Nora." */
export function joinedDeeds(one: Deed, other: Deed): Deed {
  return {
    words: `${one.words} ${other.words}`,
    isVague: one.isVague && other.isVague,
    pointsBack: Boolean(one.pointsBack || other.pointsBack),
  };
}

/** The words of "can you", "I will", "please": they say what the sentence does, not what is to do. */
function coveredByCues(
  words: Word[],
  { acts }: Lexicon,
  { will, can, offers, shall, ask, takesOn }: Grammar,
): Set<number> {
  const said = words.map(({ low }) => low).join(' ');
  const covered = new Set<number>();
  for (const cue of [will, can, offers, shall, ask, takesOn, acts.someone, acts.everyone]) {
    // Most parts have none, and to look for every one of them takes ten times as long.
    if (!cue.test(said)) continue;
    for (const match of said.matchAll(everywhere(cue))) {
      const { length } = match[0].trim().split(' ');
      const from = said.slice(0, match.index).split(' ').length - 1;
      for (let at = from; length <= 4 && at < from + length; at += 1) covered.add(at);
    }
  }
  return covered;
}

/** "I", "me", "you", "it", and the small words beside them. */
function isPerson(low: string, { subjects, particles, formal, me, you, own, objects }: Grammar): boolean {
  return [subjects, particles, formal, me, you, own, objects].some(words => words.includes(low));
}

/** Something that can be done, sent or paid: not a day, a small word, or a way of sending. */
function isThing({ text, low, at }: Word & { at: number }, { words, day }: Said, lexicon: Lexicon): boolean {
  const { anyDay, dayOfMonth } = lexicon.calendar;
  if (day.toLowerCase().split(' ').includes(low) || anyDay.test(low) || dayOfMonth.test(low)) return false;
  if (lexicon.stopwords.has(low)) return false;
  // "Check the mail" names it; "send it by mail" does not.
  const isObject = /[уюę]$/u.test(low) && (words[at - 1]?.low.length ?? 0) > 2;
  if (lexicon.grammar?.manner.test(low) && !isObject) return false;
  return (text.length > 2 && /\p{L}|\d{3}/u.test(text)) || /^\p{Lu}{2}/u.test(text);
}
