import type { Conversation, Sentence } from './conversation.ts';
import { namesDay } from './dueDates.ts';
import type { LanguagePack } from './languages/types.ts';
import { isSecret } from './masking.ts';
import { stem } from './words.ts';

const MOST = 5;
const LONGEST = 40;
const LONGEST_RUN = 3;
/** What speaks for a word being a topic, each time it is said. */
const SCORE = { behindArticle: 1, bare: 0.35, capital: 0.5, phrase: 0.35 };
/** A bare word must be said twice. */
const ENOUGH = 0.7;

type Candidate = { phrase: string; stems: string[]; score: number };
/** `text` as it reads inside a sentence; `original` as it was written. */
type Word = { text: string; original: string; stem: string; behindArticle: boolean; capital: boolean };

/** Up to five noun-like words, in English also phrases of up to three, that the day came back to, the heaviest first. */
export function findTopics({ utterances, names: { words } }: Conversation): string[] {
  const found = new Map<string, Candidate>();
  const names = new Set([...words].map(stem));
  for (const { sentences } of utterances) {
    for (const sentence of sentences) for (const run of nounRuns(sentence)) collect(found, run, names);
  }
  const ranked = [...found.values()]
    .filter(({ phrase, score }) => phrase.length <= LONGEST && score >= ENOUGH)
    .toSorted((a, b) => b.score - a.score);
  return distinct(ranked).map(({ phrase }) => phrase);
}

/** Unbroken runs of words that may be nouns. */
function nounRuns(sentence: Sentence): Word[][] {
  const { pack } = sentence.utterance;
  if (isSecret(sentence.text)) return [];
  const runs: Word[][] = [];
  let open: Word[] = [];
  let behindArticle = false;
  for (const { word, original, isFirst, isApart } of tokens(sentence)) {
    const fits = mayBeNoun(word, pack);
    if (isApart || !fits || !pack.phrasesOfNouns || open.length === LONGEST_RUN) open = [];
    if (fits) {
      if (open.length === 0) runs.push(open);
      const text = isFirst && pack.code !== 'de' ? word : original;
      open.push({ text, original, stem: stem(word), behindArticle, capital: !isFirst && /^\p{Lu}/u.test(original) });
    }
    behindArticle = pack.nounLead.has(word) || (pack.phrasesOfNouns && behindArticle && fits);
  }
  return runs;
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

function mayBeNoun(word: string, pack: LanguagePack): boolean {
  if (word.length < 3 || !/^\p{L}[\p{L}\p{M}\p{N}-]*$/u.test(word)) return false;
  if (pack.stopwords.has(word) || pack.notNoun.test(word) || pack.smallTalk.test(word)) return false;
  return !namesDay(word, pack.calendar) && !monthNames(pack.code).has(word);
}

const months = new Map<string, ReadonlySet<string>>();

function monthNames(language: string): ReadonlySet<string> {
  const known = months.get(language);
  if (known) return known;
  const code = language === 'und' ? 'en' : language;
  const alone = new Intl.DateTimeFormat(code, { month: 'long', timeZone: 'UTC' });
  const dated = new Intl.DateTimeFormat(code, { month: 'long', day: 'numeric', timeZone: 'UTC' });
  const names = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1))).flatMap(day => [
    alone.format(day).toLowerCase(),
    dated
      .formatToParts(day)
      .find(({ type }) => type === 'month')
      ?.value.toLowerCase() ?? '',
  ]);
  months.set(language, new Set(names));
  return new Set(names);
}

function collect(found: Map<string, Candidate>, run: Word[], names: Set<string>): void {
  const words = run.filter(word => !names.has(word.stem));
  const shapes = words.length > 1 ? [words, ...words.map(word => [word])] : [words];
  for (const shape of shapes) {
    const [first] = shape;
    if (!first) continue;
    const stems = shape.map(word => word.stem);
    const key = stems.join(' ');
    const known = found.get(key) ?? { phrase: shape.map(({ text }) => text).join(' '), stems, score: 0 };
    if (shape.some(({ capital }) => capital)) known.phrase = shape.map(({ original }) => original).join(' ');
    known.score += first.behindArticle ? SCORE.behindArticle : SCORE.bare;
    if (shape.some(({ capital }) => capital)) known.score += SCORE.capital;
    if (shape.length > 1) known.score += SCORE.phrase;
    found.set(key, known);
  }
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
