import { lexiconOf } from '../../languages/lexicon.ts';
import { isUnspaced } from '../../words.ts';
import type { Clause } from './clauses.ts';
import type { Known } from './known.ts';
import { type DeedKind, deedsIn, fileWords, inLatin, isSameWord, mayBeVerb, numbersBeside } from './words.ts';

/** How well words match a promise. */
export type Match = {
  known: Known;
  /** The promise's things that are named. */
  shared: string[];
  /** What is named beside it and belongs to no promise. */
  foreign: string[];
  /** Nothing else that is named makes it about another matter. */
  isSure: boolean;
  /** A number says that another one is meant: invoice 14 is not invoice 15. */
  contradicts: boolean;
};

/** The things of all open promises, each once, and those of them that a clause names. */
export type Things = { promised: ReadonlySet<string>; named: ReadonlySet<string> };

/** The `things` that the clause names. */
export function namedIn({ words }: Clause, things: ReadonlySet<string>, code: string): Set<string> {
  return new Set([...things].filter(thing => words.some(word => isSameWord(word, thing, code))));
}

/** null if the clause names nothing of it. Things of other promises may be named, too: "contract and invoice sent". */
export function matchOf(known: Known, clause: Clause, { promised, named }: Things): Match | null {
  const shared = known.things.filter(thing => named.has(thing));
  if (shared.length === 0) return null;
  const isExpected = (thing: string) =>
    [promised, known.around].some(expected => [...expected].some(word => isSameWord(word, thing, known.code)));
  const foreign = beside(known, clause).filter(thing => !isExpected(thing));
  const contradicts = shared.some(thing => differ(thing, clause.folded, known));
  // A promise in people's own words has its verb: "I'll repair the lamp in the hall" is not kept in the kitchen.
  const nouns = shared.filter(thing => !mayBeVerb(thing, lexiconOf(known.code)));
  // What only the request names must stand alone.
  const most = isOnlyAnswered(known, shared) ? 0 : weightOf(nouns) / 2;
  return { known, shared, foreign, contradicts, isSure: !contradicts && foreign.length <= most };
}

/** Whether all that is named of it was said in what it answers, and not in its own words. */
export function isOnlyAnswered({ answered }: Known, shared: string[]): boolean {
  return shared.every(thing => answered.has(thing));
}

/** A number weighs more than a word. */
export function weightOf(shared: string[]): number {
  return shared.reduce((sum, thing) => sum + (/^\d/.test(thing) ? 2 : 1), 0);
}

/** Whether a thing is named with another number now: invoice 15 is not invoice 14. */
export function differ(thing: string, folded: string, { said, code }: Pick<Known, 'said' | 'code'>): boolean {
  const [now, then] = [numbersBeside(thing, folded, code), numbersBeside(thing, said, code)];
  return now.length > 0 && then.length > 0 && !now.some(number => then.includes(number));
}

/** Matches a file by its name, even in another script. */
export function matchOfFile(known: Known, name: string): Match | null {
  const words = fileWords(name, known.code);
  const same = (word: string, thing: string) =>
    isSameWord(word, thing, known.code) || isPartOf(word, thing) || isSameName(inLatin(word), inLatin(thing));
  const shared = known.things.filter(thing => words.some(word => same(word, thing)));
  if (shared.length === 0) return null;
  const foreign = words.filter(word => ![...known.things, ...known.around].some(thing => same(word, thing)));
  const contradicts = numbersDiffer(shared, name, known);
  return { known, shared, foreign, contradicts, isSure: !contradicts && foreign.length <= shared.length / 2 };
}

/** "teilnehmer.xlsx" is the Teilnehmerliste. */
function isPartOf(word: string, thing: string): boolean {
  return word.length >= 6 && thing.startsWith(word);
}

function isSameName(word: string, thing: string): boolean {
  const least = Math.max(4, Math.max(word.length, thing.length) - 3);
  return word.length >= 4 && thing.length >= 4 && word.slice(0, least) === thing.slice(0, least);
}

/** "rechnung_15.pdf" is not invoice 14; years and versions don't count as numbers. */
function numbersDiffer(shared: string[], name: string, { said, code }: Known): boolean {
  const then = shared.flatMap(thing => numbersBeside(thing, said, code));
  const now = (name.replace(/\.[A-Za-z\d]{1,5}$/, '').match(/(?<![\d.vV])\d{1,12}(?![\d.])/g) ?? []).filter(
    number => !/^(?:19|20)\d\d$/.test(number),
  );
  return now.length > 0 && then.length > 0 && !now.some(number => then.includes(number));
}

/** Whether the name tells what is in the file. */
export function isTelling(name: string, { code }: Known): boolean {
  return fileWords(name, code).length > 0;
}

/** The promises that the words fit best; several if they fit equally. */
export function bestOf(matches: Match[]): Match[] {
  return matches.filter(match => !matches.some(other => other !== match && fitsBetter(other, match)));
}

function fitsBetter(other: Match, match: Match): boolean {
  if (other.contradicts !== match.contradicts) return match.contradicts;
  const isWithin = match.shared.every(thing => other.shared.includes(thing));
  return isWithin && other.shared.length > match.shared.length;
}

/** What a clause names beside the kind of deed that was promised: nothing in "that was a good call". */
export function beside({ deeds, isMeeting, code }: Known, clause: Clause): string[] {
  const { meeting } = lexiconOf(code).acts;
  return deedsByThing(clause, code)
    .filter(({ kinds }) => !kinds.some(kind => deeds.has(kind)))
    .map(({ thing }) => thing)
    .filter(thing => !(isMeeting && meeting.test(thing)));
}

const deedsOfClauses = new WeakMap<Clause, { thing: string; kinds: DeedKind[] }[]>();

/** The kinds of deed that each thing of a clause names, read once for all promises of its conversation. */
function deedsByThing(clause: Clause, code: string): { thing: string; kinds: DeedKind[] }[] {
  const known = deedsOfClauses.get(clause);
  if (known) return known;
  const kindsOf = (thing: string) => (isUnspaced(thing) ? [] : [...deedsIn(thing, lexiconOf(code))]);
  const found = clause.things.map(thing => ({ thing, kinds: kindsOf(thing).filter(kind => kind !== 'sends') }));
  deedsOfClauses.set(clause, found);
  return found;
}

/** Whether what was done is what was promised: "paid" keeps no promise to send. */
export function isSameDeed({ deeds, verbs, isThin }: Known, clause: Clause): boolean {
  const handsOver = deeds.has('sends') || deeds.has('pays') || deeds.has('signs');
  // A promise to sign and send back needs more than "signed".
  if (deeds.has('sends') && deeds.has('signs') && !clause.deeds.has('sends')) return false;
  if ([...deeds].some(kind => clause.deeds.has(kind))) return true;
  // "Will do": which deed that was is said by whoever says that it is done.
  if (isThin && deeds.size === 0 && clause.deeds.size > 0) return true;
  if (clause.isGeneric && !handsOver) return true;
  return isSameVerb({ verbs }, clause);
}

export function isSameVerb({ verbs }: Pick<Known, 'verbs'>, clause: Clause): boolean {
  return [...verbs].some(verb => clause.verbs.has(verb));
}
