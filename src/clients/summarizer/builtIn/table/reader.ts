import { fold } from '../../cleaning.ts';
import type { Sentence } from '../../conversation.ts';
import type { Lexicon, VerbForm, VerbRole } from '../../languages/lexicon.ts';
import type { Act, Doer, Move, Voices } from '../types.ts';
import type { When } from '../when.ts';
import { deedOf } from './deeds.ts';

export type Word = { text: string; low: string };
export type Grammar = NonNullable<Lexicon['grammar']>;
/** A word that is a form of a verb, as one of the things the form may mean. */
export type Found = { form: VerbForm; at: number; role: VerbRole };
/** What stands between two marks. */
export type Part = { text: string; words: Word[]; folded: string; isQuestion: boolean };

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.:-]*/gu;
const MARKS = /[;!?…()–—"“”„«»\n]|:(?!\d)|\.(?!\d)|,(?!\d)| - |\p{Extended_Pictographic}/u;

/** What a sentence takes on or asks for, by the table of verbs of its language. */
export function readByTable(
  sentence: Sentence,
  spelled: string,
  lexicon: Lexicon,
  voices: Voices,
  dayIn: (text: string) => When | null,
): Move[] {
  const { grammar } = lexicon;
  if (!grammar) return [];
  const parts = partsOf(withoutAsides(spelled, grammar), sentence, lexicon);
  return parts.flatMap(part => {
    const read = readPart(part, lexicon, grammar);
    if (!read) return [];
    const when = dayIn(part.text) ?? (parts.length < 3 ? dayIn(spelled) : null);
    const deed =
      read.found &&
      deedOf(
        { words: part.words, found: read.found, doer: read.doer, day: when?.words ?? '' },
        lexicon,
        grammar,
        voices,
      );
    return [{ act: read.act, doer: read.doer, deed, when, strength: when ? read.withDate : read.strength }];
  });
}

/** "Send, please, the file": what stands between two commas and says nothing cuts nothing apart. */
function withoutAsides(text: string, { particles }: Grammar): string {
  return text.replaceAll(/, ?([\p{L} ]{3,16}),/gu, (whole, words: string) =>
    words
      .toLowerCase()
      .split(' ')
      .every(word => particles.includes(word))
      ? ' '
      : whole,
  );
}

function partsOf(text: string, { isQuestion }: Sentence, { code }: Lexicon): Part[] {
  return text
    .split(MARKS)
    .map(part => part.trim())
    .filter(Boolean)
    .map(part => ({ text: part, words: wordsIn(part, code), folded: fold(part, code), isQuestion }));
}

function wordsIn(text: string, code: string): Word[] {
  return [...text.matchAll(WORD)].map(([word]) => {
    const bare = word.replace(/(?<![.:'’-])[.:'’-]+$/u, '');
    return { text: bare, low: fold(bare, code) };
  });
}

type Read = { act: Act; doer: Doer; found: Found | null; strength: number; withDate: number };

function readPart(part: Part, lexicon: Lexicon, grammar: Grammar): Read | null {
  const { folded, words, isQuestion } = part;
  const verbs = verbsIn(words, lexicon);
  const infinitive = verbs.findLast(({ role }) => role === 'infinitive');
  const asked = verbs.find(found => found.role === 'asked' && mayAsk(found, part, grammar));
  const mine = verbs.find(found => found.role === 'mine' && maySpeakFor(found, part, grammar));
  const someone = infinitive ?? verbs.find(({ role }) => role === 'asked');
  if (lexicon.acts.someone.test(folded) && someone) return request(someone, 'someone', 0.6);
  // "Don't forget to send it" is no refusal.
  if (lexicon.acts.negation.test(folded.replace(grammar.ask, ' ')) && !isQuestion) return null;
  const anyVerb = asked ?? infinitive ?? mine;
  if (grammar.ask.test(folded) && anyVerb) return request(anyVerb, 'listener', 0.7);
  if (infinitive && grammar.formal.includes(words[infinitive.at + 1]?.low ?? ''))
    return request(infinitive, 'listener', 0.65);
  if (asked) return request(asked, 'listener', 0.55);
  if (isQuestion) return null;
  if (grammar.will.test(folded) && infinitive) return promise(infinitive, 0.75, 0.9);
  if (grammar.can.test(folded) && infinitive) return promise(infinitive, 0.3, 0.65);
  if (lexicon.acts.proposes.test(folded)) return null;
  if (mine) return promise(mine, 0.55, 0.85);
  if (grammar.handsOver.test(folded)) return promise(null, 0.3, 0.8);
  return lexicon.acts.needs.test(folded) ? request(null, 'listener', grammar.ask.test(folded) ? 0.6 : 0.4) : null;
}

function request(found: Found | null, doer: Doer, strength: number): Read {
  return { act: 'request', doer, found, strength, withDate: 0.85 };
}

function promise(found: Found | null, strength: number, withDate: number): Read {
  return { act: 'promise', doer: 'speaker', found, strength, withDate };
}

/** In many languages the form of a request is that of a statement too, but for its place. */
function mayAsk(
  { at, form }: Found,
  { words }: Part,
  { imperativeFirst, particles, subjects, formal }: Grammar,
): boolean {
  if (form.roles.has('mine') && words.some(({ low }) => subjects.includes(low))) return false;
  if (!imperativeFirst) return true;
  return words.slice(0, at).every(({ low }) => particles.includes(low) || formal.includes(low));
}

function maySpeakFor({ at }: Found, { words }: Part, { needsSubject, subjects }: Grammar): boolean {
  if (!needsSubject) return true;
  return words.slice(Math.max(0, at - 2), at + 3).some(({ low }) => subjects.includes(low));
}

function verbsIn(words: Word[], { verbs }: Lexicon): Found[] {
  return words.flatMap(({ low }, at) => {
    const forms = (verbs.get(low) ?? []).filter(({ verb }) => isWhole(verb.particle, low, words));
    // "Ruf … an" is "anrufen" before it is "rufen".
    const closest = forms.toSorted((one, other) => other.verb.particle.length - one.verb.particle.length);
    return closest.flatMap(form => [...form.roles].map(role => ({ form, at, role })));
  });
}

function isWhole(particle: string, low: string, words: Word[]): boolean {
  return particle === '' || low.startsWith(particle) || words.some(word => word.low === particle);
}
