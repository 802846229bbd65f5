import { everywhere } from '../../languages/compile.ts';
import type { Lexicon, Verb } from '../../languages/lexicon.ts';
import type { Deed, Doer, Voices } from '../types.ts';
import { inOrder, type Kept, trimmed } from './order.ts';
import type { Grammar, Word } from './parts.ts';
import { isRough, type Said } from './rough.ts';
import { type Found, isReflexiveVerb } from './verbs.ts';

/** The task in the infinitive, with names for "me" and "you". */
export function deedOf(said: Said, lexicon: Lexicon, grammar: Grammar, voices: Voices): Deed {
  const { words, found, doer, day } = said;
  const { verb } = found.form;
  const covered = coveredByCues(words, found, lexicon, grammar);
  const object = objectOf(words, found.at, covered, grammar);
  const kept = words.flatMap((word, at) => {
    const isLeftOut =
      at === found.at ||
      (at < found.at && isCalled(word.low, voices)) ||
      LAUGHTER.test(word.low) ||
      (at === found.at - 1 && word.low === grammar.infinitiveMark) ||
      word.low === verb.particle ||
      covered.has(at) ||
      at === object?.at ||
      isDroppedWithNext(words, at, doer, grammar) ||
      (isReflexiveVerb(verb.infinitive) && isReflexive(word, grammar)) ||
      // "When will you send it?" is a task without its "when".
      (at < found.at && lexicon.acts.question.test(word.low));
    return isLeftOut ? [] : keptAs(word, at, said, lexicon, voices);
  });
  const rest = inOrder(trimmed(kept, grammar), found.at, day, grammar);
  const isGiven = rest.some(({ isPerson }) => isPerson);
  // "La declaración la presento": the pronoun says nothing more.
  const isNamed = rest.some(word => word.at < found.at && isThing(word, said, lexicon));
  const joined = isNamed ? null : object;
  const { main, clause } = withoutClause(rest, words, found.at, grammar);
  const [toDo, does] = [joined?.toDo(verb.infinitive, isGiven), joined?.does(verb.does, isGiven)];
  const forms = { infinitive: toDo ?? verb.infinitive, does: does ?? verb.does };
  const wordsToDo = main.map(({ infinitive }) => infinitive);
  const wordsDoing = main.map(word => word.does);
  return {
    toDo: `${withVerb(wordsToDo, forms.infinitive, grammar)}${clause}`,
    will: verb.does === '' ? null : `${doing(wordsDoing, forms.does, verb, grammar)}${clause}`,
    did: null,
    isVague:
      clause === '' &&
      !grammar.whole.includes(verb.infinitive.replace(/^sich /, '')) &&
      !rest.some(word => isThing(word, said, lexicon)),
    pointsBack: clause === '' && grammar.pointsBack.test(rest.map(({ low }) => low).join(' ')),
    isRough: isRough(rest, said, lexicon, grammar),
    done: {
      forms: verb.done,
      rest: textOf(rest.filter(({ low }) => !isDay(low, day, lexicon)).map(word => word.infinitive)),
    },
  };
}

/** "Prüfen, ob der Server läuft": in a language with the verb last, such a clause follows it in its own words. */
function withoutClause(
  rest: Kept[],
  words: Word[],
  verbAt: number,
  { verbLast, subordinators }: Grammar,
): { main: Kept[]; clause: string } {
  const from = verbLast ? words.findIndex(({ low }, at) => at > verbAt && subordinators.includes(low)) : -1;
  if (from < 0) return { main: rest, clause: '' };
  const clause = words.slice(from).map(({ text }) => text);
  return { main: rest.filter(({ at }) => at < from), clause: `, ${clause.join(' ')}` };
}

/** "Look at it and call Nora." */
export function joinedDeeds(one: Deed, other: Deed, { and: [and = ''], objects, enclitics }: Grammar): Deed {
  const needsObject = enclitics.length > 0 && Object.keys(objects).length > 0;
  return {
    toDo: `${one.toDo} ${and} ${other.toDo}`,
    will: one.will && other.will && `${one.will} ${and} ${other.will}`,
    did: null,
    isVague: one.isVague && other.isVague,
    pointsBack: Boolean(one.pointsBack || other.pointsBack),
    // "Lo hablo con Jule y te digo": the second lacks what the first has.
    isRough: Boolean(one.isRough || other.isRough || (needsObject && !one.isVague && other.isVague)),
  };
}

function withVerb(rest: string[], infinitive: string, { verbLast, contractions }: Grammar): string {
  if (!verbLast) return textOf([infinitive, ...rest], contractions);
  return isReflexiveVerb(infinitive) ? textOf(['sich', ...rest, infinitive.slice(5)]) : textOf([...rest, infinitive]);
}

function doing(rest: string[], does: string, { particle }: Verb, { doesLast, contractions }: Grammar): string {
  return textOf(doesLast ? [...rest, does] : [does, ...rest, particle], contractions);
}

function textOf(words: string[], contractions: Record<string, string> = {}): string {
  let text = words.filter(Boolean).join(' ').replaceAll("' ", "'");
  for (const [apart, joined] of Object.entries(contractions)) text = text.replaceAll(` ${apart} `, ` ${joined} `);
  return text;
}

/** The words of "can you", "I will", "please": they say what the sentence does, not what is to do. */
function coveredByCues(
  words: Word[],
  found: Found,
  { acts }: Lexicon,
  { will, can, offers, shall, ask, takesOn }: Grammar,
): Set<number> {
  const said = words.map(({ low }) => low).join(' ');
  const covered = new Set<number>();
  for (const cue of [will, can, offers, shall, ask, takesOn, acts.someone, acts.everyone]) {
    for (const match of said.matchAll(everywhere(cue))) {
      const { length } = match[0].trim().split(' ');
      const from = said.slice(0, match.index).split(' ').length - 1;
      for (let at = from; length <= 4 && at < from + length; at += 1) if (at !== found.at) covered.add(at);
    }
  }
  return covered;
}

const LAUGHTER = /^(?:(?:ха|ах|ja|ha|ah|he){2,8}[хaah]?|k{3,9})$/u;

/** "Nuria me pasas …": addresses someone by their name or its beginning. */
function isCalled(low: string, { names }: Voices): boolean {
  return low.length >= 3 && [...(names ?? [])].some(name => name.startsWith(low));
}

type ObjectFound = {
  at: number;
  toDo: (verb: string, isGiven: boolean) => string;
  does: (verb: string, isGiven: boolean) => string;
};

/** "It" and "them" right before the verb: each language attaches them to it in its own way. */
function objectOf(words: Word[], verbAt: number, covered: Set<number>, grammar: Grammar): ObjectFound | null {
  const { objects, me, you } = grammar;
  for (let at = verbAt - 1; at >= 0; at -= 1) {
    const low = words[at]?.low ?? '';
    const forms = Object.hasOwn(objects, low) ? objects[low] : undefined;
    if (forms) {
      const [toDo, does, toDoGiven, doesGiven] = forms;
      return {
        at,
        toDo: (verb, isGiven) => filled((isGiven ? toDoGiven : undefined) ?? toDo, verb),
        does: (verb, isGiven) => filled((isGiven ? doesGiven : undefined) ?? does, verb),
      };
    }
    if (!covered.has(at) && !Object.hasOwn(me, low) && !Object.hasOwn(you, low)) return null;
  }
  return null;
}

const STRESSED: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú' };

function filled(template: string, verb: string): string {
  return template
    .replace('{verb}', () => verb)
    .replace('{stressed}', () => verb.replace(/[aeiou](?=r$)/, vowel => STRESSED[vowel] ?? vowel));
}

function isReflexive({ low }: Word, { reflexives }: Grammar): boolean {
  return reflexives.includes(low);
}

/** "From you" is dropped as a whole. */
function isDroppedWithNext(words: Word[], at: number, doer: Doer, { prepositions, me, you }: Grammar): boolean {
  if (!prepositions.includes(words[at]?.low ?? '')) return false;
  const next = words[at + 1]?.low ?? '';
  return (
    (Object.hasOwn(me, next) && (me[next] === '' || doer === 'speaker')) ||
    (Object.hasOwn(you, next) && (you[next] === '' || doer === 'listener'))
  );
}

/** What replaces a word in a task: a name, a neutral word, another form, or nothing. */
function keptAs(word: Word, at: number, { doer, found, words }: Said, lexicon: Lexicon, voices: Voices): Kept[] {
  const { grammar } = lexicon;
  if (!grammar) return [];
  const { subjects, particles, formal, me, you, own, direct } = grammar;
  const { low, text } = word;
  const kept = (said: string, isPerson = false): Kept[] =>
    said ? [{ infinitive: said, does: said, low, at, isPerson }] : [];
  if (subjects.includes(low) || particles.includes(low) || formal.includes(low)) return [];
  const person = (template = '', name: string | null) =>
    kept(named(direct.includes(found.form.verb.infinitive) ? template.replace(/^\S+_/u, '') : template, name), true);
  // "Le confermo" is "to you", "dopo le 18" is an article.
  const isArticle = lexicon.nounLead.includes(low) && at !== found.at - 1;
  if (Object.hasOwn(me, low)) return doer === 'speaker' ? [] : person(me[low], voices.speaker);
  if (Object.hasOwn(you, low) && !isArticle) return doer === 'listener' ? [] : person(you[low], voices.listener);
  if (Object.hasOwn(own, low)) return kept(own[low] ?? '');
  const second = secondVerb(words, at, found, lexicon);
  return second ? [{ infinitive: second.infinitive, does: second.does, low, at, isPerson: false }] : kept(text);
}

/** "I'll come sign it": a verb in the same form as the first. */
function secondVerb(words: Word[], at: number, found: Found, { verbs, grammar }: Lexicon): Verb | null {
  if (at < found.at || grammar?.needsSubject || found.role === 'infinitive') return null;
  const forms = verbs.get(words[at]?.low ?? '') ?? [];
  const same = forms.find(({ roles, verb }) => roles.has(found.role) && verb.particle === '' && verb.does !== '');
  const isNext = words.slice(found.at + 1, at).length <= 3;
  return same && isNext && grammar?.serial ? same.verb : null;
}

function named(template = '', name: string | null): string {
  return name === null || template === '' ? '' : template.replace('{name}', () => name).replaceAll('_', ' ');
}

function isDay(low: string, day: string, { calendar }: Lexicon): boolean {
  return day.toLowerCase().split(' ').includes(low) || calendar.anyDay.test(low);
}

/** Something that can be done, sent or paid: not a day, a name, a small word, or a way of sending. */
function isThing({ low, infinitive, isPerson, at }: Kept, { words, day }: Said, lexicon: Lexicon): boolean {
  if (isPerson || isDay(low, day, lexicon) || lexicon.stopwords.has(low)) return false;
  // "Check the mail" names it; "send it by mail" does not.
  const isObject = /[уюę]$/u.test(low) && (words[at - 1]?.low.length ?? 0) > 2;
  if (lexicon.grammar?.manner.test(low) && !isObject) return false;
  return (infinitive.length > 2 && /\p{L}|\d{3}/u.test(infinitive)) || /^\p{Lu}{2}/u.test(infinitive);
}
