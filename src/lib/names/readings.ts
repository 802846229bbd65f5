import { smallWords, type Word, wordsOf } from './nameWords.ts';
import { personWords } from './personWords.ts';
import { cutName, plainSegment, type Segment } from './segments.ts';
import { type Sounding, soundingsOf } from './soundings.ts';

/** One way to read a written name: its words, and what stood beside it. */
export type Reading = {
  words: readonly Word[];
  /** As written between spaces, small letters, hyphens and apostrophes kept, without titles. */
  tokens: readonly string[];
  /** jr, sr, ii, iii, iv or ''. */
  generation: string;
  /** How the words may sound, in a script that doesn't tell; empty for other names. */
  soundings: readonly Sounding[];
  /** Cut off: a company, a place, whatever. */
  extras: readonly string[];
};

/** A name that is kept in two fields, taken apart; `given` is how many of the words are in the first one. */
export type FiledName = { words: readonly Word[]; given: number; generation: string };

/** In one field. The number of ways to lay two names side by side grows fast with their words. */
const MOST_FILED_WORDS = 5;

/**
 * Takes a name as people write it in a messenger apart for comparing, the likeliest reading first: "🚀 Anna Petrova | Acme"
 * is Anna Petrova with the extra Acme, or else Acme with the extra Anna Petrova. No reading without a letter.
 */
export function readName(written: string): Reading[] {
  const { segments, bracketed, quoted } = cutName(written);
  const beside = [...bracketed.map(({ text }) => text), ...quoted];
  return segments
    .map(segment =>
      reading(segment, [...segments.filter(other => other !== segment).map(({ text }) => text), ...beside]),
    )
    .filter(({ words }) => words.length > 0);
}

function reading({ tokens }: Segment, extras: string[]): Reading {
  const { names, generation } = personWords(tokens);
  const smalls = smallWords(names);
  const words = wordsOf(smalls);
  const soundings = soundingsOf(words.filter(({ isParticle }) => !isParticle).map(({ text }) => text));
  return { words, tokens: smalls, generation, soundings, extras };
}

/** Reads what is known to be a name, such as a field of the CRM: it is not cut. */
function readPlainName(name: string): Reading {
  return reading(plainSegment(name), []);
}

/** The words of a name that is no person's, such as a company's, as {@link Reading} has them. */
export function plainTokens(name: string): string[] {
  return smallWords(plainSegment(name).tokens);
}

/** Reads a record that has a field for each of the two names. */
export function readFiledName(firstName: string, lastName: string): FiledName {
  const [given, family] = [firstName, lastName].map(field => readPlainName(field).words.slice(0, MOST_FILED_WORDS));
  const { generation } = readPlainName(`${firstName} ${lastName}`);
  return { words: [...(given ?? []), ...(family ?? [])], given: given?.length ?? 0, generation };
}

/** Words that make a name: two or more letters, and no particle, which in front of a name Ben isn't. */
export function fullWords({ words }: Pick<Reading, 'words'>): Word[] {
  return words.filter(
    (word, at) => [...word.text].length > 1 && (!word.isParticle || (at === 0 && word.text === 'ben')),
  );
}
