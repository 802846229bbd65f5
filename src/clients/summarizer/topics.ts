import type { Conversation, Sentence } from './conversation.ts';
import type { LanguagePack } from './languages/types.ts';
import { stem } from './words.ts';

const MOST = 5;
const LONGEST = 40;

type Candidate = { phrase: string; stems: string[]; score: number };

/** Up to five noun-like phrases of one to three words that the day came back to, the heaviest first. */
export function findTopics({ utterances, speakers }: Conversation): string[] {
  const found = new Map<string, Candidate>();
  const names = new Set(speakers.flatMap(name => name.toLowerCase().split(' ')).map(stem));
  for (const { sentences } of utterances) {
    for (const sentence of sentences) for (const run of nounRuns(sentence)) collect(found, run, names);
  }
  const ranked = [...found.values()]
    .filter(({ phrase }) => phrase.length <= LONGEST)
    .toSorted((a, b) => b.score - a.score);
  return distinct(ranked)
    .slice(0, MOST)
    .map(({ phrase }) => phrase);
}

type Word = { text: string; stem: string; lead: boolean; capital: boolean };

/** Unbroken runs of words that may be nouns. */
function nounRuns(sentence: Sentence): Word[][] {
  const { pack } = sentence.utterance;
  const runs: Word[][] = [];
  let open: Word[] = [];
  let afterLead = false;
  for (const { word, original, isFirst, breaks } of tokens(sentence)) {
    if (breaks) open = [];
    const fits = mayBeNoun(word, pack);
    if (!fits) open = [];
    else {
      const capital = !isFirst && /^\p{Lu}/u.test(original);
      const entry = {
        text: isFirst && pack.code !== 'de' ? word : original,
        stem: stem(word),
        lead: afterLead,
        capital,
      };
      if (open.length % 3 === 0) {
        open = [];
        runs.push(open);
      }
      open.push(entry);
    }
    afterLead = pack.nounLead.has(word) || (afterLead && fits);
  }
  return runs;
}

function tokens({ text, words }: Sentence) {
  let from = 0;
  return words.map((word, index) => {
    const lower = text.toLowerCase().replaceAll(/[’‘`´ʼ]/g, "'");
    const at = Math.max(lower.indexOf(word, from), from);
    const between = text.slice(from, at);
    from = at + word.length;
    return { word, original: text.slice(at, from) || word, isFirst: index === 0, breaks: /[^\s]/.test(between) };
  });
}

function mayBeNoun(word: string, pack: LanguagePack): boolean {
  return (
    word.length > 2 && /^\p{L}[\p{L}\p{M}\p{N}-]*$/u.test(word) && !pack.stopwords.has(word) && !pack.notNoun.test(word)
  );
}

function collect(found: Map<string, Candidate>, run: Word[], names: Set<string>): void {
  const words = run.filter(word => !names.has(word.stem));
  if (words.length === 0) return;
  const shapes = words.length === 1 ? [words] : [words, ...words.map(word => [word])];
  for (const shape of shapes) {
    const key = shape.map(word => word.stem).join(' ');
    const known = found.get(key) ?? {
      phrase: shape.map(({ text }) => text).join(' '),
      stems: shape.map(word => word.stem),
      score: 0,
    };
    const [first] = shape;
    known.score +=
      (first?.lead ? 1 : 0.35) + (shape.some(({ capital }) => capital) ? 0.5 : 0) + (shape.length > 1 ? 0.35 : 0);
    found.set(key, known);
  }
}

/** Drops what says less than, or the same as, something before it. */
function distinct(ranked: Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of ranked) {
    if (!kept.some(other => candidate.stems.some(part => other.stems.includes(part)))) kept.push(candidate);
  }
  return kept;
}
