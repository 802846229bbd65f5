import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { fold } from '../../../../src/clients/summarizer/cleaning.ts';
import { compileCues } from '../../../../src/clients/summarizer/languages/compile.ts';
import { compileLexicon, readData } from '../../../../src/clients/summarizer/languages/lexicon.ts';
import { wordsOf } from '../../../../src/clients/summarizer/words.ts';

const LANGUAGES = new URL('../../../../src/clients/summarizer/languages/', import.meta.url);

/**
 * Without examples: `media` names each kind of media and lists nothing, `anyDay` is made of other lists, the stop words
 * are in no language's file.
 */
const NO_LISTS = new Set(['media', 'calendar.anyDay', 'stopwords']);
/** Lists of endings of words. The others hold cues, which are compiled to patterns, or whole words. */
const ENDINGS = /^grammar\.enclitics$/;
/** Lists of what is written together with a number: letters of a text, not words. */
const PARTS = /^dates\.(?:clock\.\w+|hourEndings)$/;

/** What the list of this name finds in a folded sentence. */
type Find = (folded: string) => string | undefined;

/** Each list of a compiled language that is not empty, by its name, such as "calendar.weekdays.0". */
function listsIn(value: unknown, name = ''): [name: string, find: Find][] {
  if (NO_LISTS.has(name) || value === compileCues([]) || typeof value !== 'object' || value === null) return [];
  if (value instanceof RegExp) return [[name, folded => value.exec(folded)?.[0]]];
  const words = wordsListed(value);
  if (words) return words.length > 0 ? [[name, finderFor(name, words)]] : [];
  return Object.entries(value).flatMap(([key, inner]) => listsIn(inner, name ? `${name}.${key}` : key));
}

/** Of a list of words, of words and what they stand for, or of the forms of verbs; null for what holds other lists. */
function wordsListed(value: object): string[] | null {
  if (value instanceof Map) return [...value.keys()];
  if (!Object.values(value).every(one => typeof one === 'string')) return null;
  return Array.isArray(value) ? value : Object.keys(value);
}

function finderFor(name: string, listed: string[]): Find {
  if (PARTS.test(name)) return folded => listed.find(part => folded.includes(part));
  return finderOf(listed, ENDINGS.test(name));
}

function finderOf(listed: string[], areEndings: boolean): Find {
  const isListed = (word: string) =>
    areEndings ? listed.some(ending => word !== ending && word.endsWith(ending)) : listed.includes(word);
  // "Mande-o" and "j'envoie" are two words each.
  return folded => wordsOf(folded).find(word => [word, ...word.split(/(?=['-])|(?<=['-])/)].some(isListed));
}

/** Examples are in the same places as their lists: a sentence, or several. */
function examplesIn(value: unknown, lists: Map<string, Find>, name = ''): [name: string, sentence: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (lists.has(name) && Array.isArray(value)) return value.map(sentence => [name, sentence]);
  return Object.entries(value ?? {}).flatMap(([key, inner]) => examplesIn(inner, lists, name ? `${name}.${key}` : key));
}

function flawOf(name: string, find: Find | undefined, sentence: string, code: string): string | null {
  if (!find) return `${name}: no such list`;
  const folded = fold(sentence, code);
  const found = find(folded);
  if (found === undefined) return `${name}: nothing found in "${sentence}"`;
  const rest = ENDINGS.test(name) ? folded.replace(/\S+/, '') : folded.replace(found, '');
  return /\p{L}/u.test(rest) ? null : `${name}: "${sentence}" is no sentence`;
}

describe('the examples of languages', () => {
  for (const file of readdirSync(new URL('data/', LANGUAGES))) {
    it(`${file} has a sentence for each list, in which the list finds something`, () => {
      const lexicon = compileLexicon(readData(file.replace('.json', '')));
      const lists = new Map(listsIn(lexicon));
      const text = readFileSync(new URL(`examples/${file}`, LANGUAGES), 'utf8');
      const examples = examplesIn(JSON.parse(text), lists);
      const named = new Set(examples.map(([name]) => name));
      const missing = [...lists.keys()].filter(name => !named.has(name)).map(name => `${name}: no example`);
      const flaws = examples.map(([name, sentence]) => flawOf(name, lists.get(name), sentence, lexicon.code));
      expect([...missing, ...flaws.filter(flaw => flaw !== null)]).to.deep.equal([]);
    });
  }
});
