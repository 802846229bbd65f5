import type { Sentence } from '../conversation.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import { isSecret } from '../masking/mask.ts';
import { stem } from '../words.ts';
import type { Commitment } from './commitments.ts';
import type { Turn } from './reading.ts';

const MOST = 3;
const LONGEST = 40;
/** What makes words a topic: each mention, by both sides, in a commitment, as a phrase. */
const SCORE = { said: 1, shared: 1, commitment: 1.2, phrase: 0.8 };
/** A lower score is chance. A single word says less than two, and needs a higher one. */
const ENOUGH = 2;
const ENOUGH_ALONE = 3.5;

type Candidate = { phrase: string; stems: string[]; score: number; speakers: Set<string> };

/** Up to three things that the talk was about, the most important first; none if none is certain. */
export function findTopics(turns: Turn[], commitments: Commitment[], names: ReadonlySet<string>): string[] {
  const found = new Map<string, Candidate>();
  const busy = new Set(commitments.flatMap(({ readings }) => readings));
  for (const { readings } of turns) {
    for (const reading of readings) {
      if (isSecret(reading.sentence.text)) continue;
      for (const phrase of nounsOf(reading.sentence, reading.lexicon, names))
        collect(found, phrase, reading.sentence.utterance.speaker, busy.has(reading));
    }
  }
  const ranked = [...found.values()]
    .map(candidate => ({ ...candidate, score: scoreOf(candidate, found) }))
    .filter(
      ({ phrase, stems, score }) => phrase.length <= LONGEST && score >= (stems.length > 1 ? ENOUGH : ENOUGH_ALONE),
    )
    .toSorted((one, other) => other.score - one.score);
  return distinct(ranked).map(({ phrase }) => phrase);
}

function collect(found: Map<string, Candidate>, phrase: string, speaker: string, isBusy: boolean): void {
  const stems = phrase.toLowerCase().split(' ').map(stem);
  const known = found.get(stems.join(' ')) ?? {
    phrase,
    stems,
    score: stems.length > 1 ? SCORE.phrase : 0,
    speakers: new Set(),
  };
  known.score += SCORE.said + (isBusy ? SCORE.commitment : 0);
  known.speakers.add(speaker);
  found.set(stems.join(' '), known);
}

/** A phrase gains from the score of its last word alone. */
function scoreOf({ stems, score, speakers }: Candidate, found: Map<string, Candidate>): number {
  const head = stems.length > 1 ? found.get(stems.at(-1) ?? '') : undefined;
  return score + (speakers.size > 1 ? SCORE.shared : 0) + (head ? head.score / 2 : 0);
}

/** Words after an article or a preposition, unless their ending rules it out; in English with the nouns that follow. */
function nounsOf(sentence: Sentence, lexicon: Lexicon, names: ReadonlySet<string>): string[] {
  const { nounsCapitalized, onlyPlurals } = lexicon;
  const found: string[] = [];
  let isLed = false;
  let isOpen = false;
  for (const { word, original, isFirst, isApart } of tokens(sentence)) {
    const isCapital = nounsCapitalized && !isFirst && /^\p{Lu}/u.test(original);
    const isNoun = mayBeNoun(word, lexicon) && !names.has(word) && (!nounsCapitalized || isCapital);
    // "The security questionnaire"
    if (isOpen && isNoun && !isApart && !lexicon.verbs.has(word)) found.push(`${found.pop()} ${original}`);
    else if ((isLed || isCapital) && isNoun) found.push(original);
    isOpen = onlyPlurals && isNoun && (isLed || (isOpen && !isApart));
    isLed = lexicon.nounLead.includes(word);
  }
  return found;
}

/** The words of a sentence as they were written. */
function tokens({ text, words }: Sentence) {
  const lower = text.toLowerCase().replaceAll(/[’‘`´ʼ]/g, "'");
  let from = 0;
  return words.map((word, index) => {
    const at = Math.max(lower.indexOf(word, from), from);
    const between = text.slice(from, at);
    from = at + word.length;
    return { word, original: text.slice(at, from) || word, isFirst: index === 0, isApart: /\S/.test(between) };
  });
}

function mayBeNoun(word: string, { stopwords, acts, calendar, grammar, verbs }: Lexicon): boolean {
  // "Las dejo" is a verb, not a noun; "el pago" is a noun all the same.
  if (verbs.get(word)?.every(({ roles }) => roles.has('mine') && !roles.has('asked'))) return false;
  if (word.length < 4 || !/^\p{L}[\p{L}\p{M}\p{N}-]*$/u.test(word) || stopwords.has(word)) return false;
  if (grammar?.manner.test(word) || verbs.get(word)?.some(({ roles }) => roles.has('infinitive'))) return false;
  return !acts.smallTalk.test(word) && !calendar.anyDay.test(word);
}

/** Drops what says less than, or the same as, something before it. */
function distinct(ranked: Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of ranked) {
    if (kept.length === MOST) break;
    if (!kept.some(other => candidate.stems.some(part => other.stems.includes(part)))) kept.push(candidate);
  }
  return kept;
}
