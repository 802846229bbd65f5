import { sameNames } from '../../../lib/names/givenNames.ts';
import type { Reading } from '../../../lib/names/readings.ts';
import { accented, isLatin, romanise, romanKey } from '../../../lib/names/romanise.ts';

const MOST_OF_WORD = 7;
const MOST_OF_PHRASE = 4;
const MOST_RARE = 12;
const MOST_WAYS = 3;
/** St. Clair, St Clair and Saint Clair are one. */
const SAINT = /(?<![\p{L}\p{M}])(?:st|saint|sankt)[ -]/u;

/** What may be in either of the CRM's two fields for a name, small letters. Names of many words are divided in the usual ways. */
export function nameForms({ tokens }: Reading): string[] {
  if (tokens.length < 2) return [];
  if (tokens.length === 2) return unique(tokens.flatMap(wordForms));
  const phrases = [tokens.slice(0, 1), tokens.slice(-1), tokens.slice(1), tokens.slice(0, -1)];
  return unique(phrases.flatMap(phrase => wordForms(phrase.join(' ')).slice(0, MOST_OF_PHRASE)));
}

/** A word, or words of one field: as written, and in plain letters, of another alphabet in the likeliest ways. */
export function wordForms(written: string): string[] {
  const saints = SAINT.test(written) ? ['st. ', 'st ', 'saint ', 'saint-'] : [];
  const ways = /^[\p{L}\p{M}]+$/u.test(written) ? waysOf(written) : [plainPhrase(written)];
  const joints = [written.replaceAll('-', ' '), written.replace(/^(\S+) (\S+)$/, '$1-$2')];
  const apostrophes = [written.replaceAll("'", '’'), written.replaceAll("'", '')];
  const sainted = saints.map(saint => written.replace(SAINT, saint));
  return unique([written, ...sainted, ...ways, ...joints, ...apostrophes]).slice(0, MOST_OF_WORD);
}

/** The same in rarer forms, too: with accents that were left out, or romanised by another authority. */
export function rareForms(token: string): string[] {
  const ways = waysOf(token);
  const rare = isLatin(token) ? accented(token) : [...ways, ...ways.flatMap(accented)];
  return unique([...wordForms(token), ...rare]).slice(0, MOST_RARE);
}

function waysOf(token: string): string[] {
  const ways = romanise(token);
  return [...ways.slice(0, MOST_WAYS), ...sameNames(romanKey(ways[0] ?? '')), ...ways.slice(MOST_WAYS)];
}

function plainPhrase(text: string): string {
  return text.replace(/[\p{L}\p{M}]+/gu, word => romanise(word)[0] ?? word);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].filter(value => value !== '');
}
