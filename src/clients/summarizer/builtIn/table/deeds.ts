import { fold } from '../../cleaning.ts';
import type { Lexicon, Verb } from '../../languages/lexicon.ts';
import type { Deed, Doer, Voices } from '../types.ts';
import type { Found, Grammar, Word } from './reader.ts';

type Said = { words: Word[]; found: Found; doer: Doer; day: string };

/** The task in the infinitive, with names for "me" and "you". */
export function deedOf({ words, found, doer, day }: Said, lexicon: Lexicon, grammar: Grammar, voices: Voices): Deed {
  const { verb } = found.form;
  const restWith = (form: 'infinitive' | 'does') => {
    const left = words.flatMap((word, at) => {
      if (at === found.at || word.low === verb.particle || isDroppedWithNext(words, at, doer, grammar)) return [];
      // "When will you send it?" is a task without its "when".
      if (at < found.at && lexicon.acts.question.test(word.low)) return [];
      if (at > found.at && grammar.and.includes(word.low)) return [word.text];
      const second = secondVerb(words, at, found, lexicon);
      return second ? [second[form]] : reworded(word, doer, grammar, voices);
    });
    const cues = [grammar.will, grammar.can, grammar.ask, lexicon.acts.someone];
    return withoutCues(left.join(' '), cues, lexicon.code);
  };
  const rest = restWith('infinitive');
  const join = (...parts: string[]) => parts.filter(Boolean).join(' ');
  const doing = restWith('does');
  const does = grammar.doesLast ? join(doing, verb.does) : join(verb.does, doing, verb.particle);
  return {
    toDo: grammar.verbLast ? join(rest, verb.infinitive) : join(verb.infinitive, rest),
    will: verb.does === '' ? null : does,
    did: null,
    isVague:
      !grammar.whole.includes(verb.infinitive) &&
      !thingsIn(rest, day).some(word => word.length > 3 || /^\p{Lu}{2}/u.test(word)),
  };
}

/** The words that are no part of the day. */
function thingsIn(rest: string, day: string): string[] {
  const days = new Set(day.toLowerCase().split(' '));
  return rest.split(' ').filter(word => !days.has(word.toLowerCase()));
}

/** "… and sign it": a verb in the same form as the one before the "and". */
function secondVerb(words: Word[], at: number, found: Found, { verbs, grammar }: Lexicon): Verb | null {
  if (at < found.at || !grammar?.and.length) return null;
  const forms = verbs.get(words[at]?.low ?? '') ?? [];
  const same = forms.find(({ roles, verb }) => roles.has(found.role) && verb.particle === '' && verb.does !== '');
  const isJoined = words.slice(found.at, at).some(({ low }) => grammar.and.includes(low));
  return same && isJoined ? same.verb : null;
}

/** "From you" goes as a whole. */
function isDroppedWithNext(words: Word[], at: number, doer: Doer, { prepositions, me, you }: Grammar): boolean {
  if (!prepositions.includes(words[at]?.low ?? '')) return false;
  const next = words[at + 1]?.low ?? '';
  return (
    (Object.hasOwn(me, next) && (me[next] === '' || doer === 'speaker')) ||
    (Object.hasOwn(you, next) && (you[next] === '' || doer === 'listener'))
  );
}

/** What stands for a word in a task: a name, a neutral word, or nothing. */
function reworded({ text, low }: Word, doer: Doer, grammar: Grammar, { speaker, listener }: Voices): string[] {
  const { subjects, particles, formal, me, you, own } = grammar;
  if (subjects.includes(low) || particles.includes(low) || formal.includes(low)) return [];
  if (Object.hasOwn(me, low)) return doer === 'speaker' ? [] : named(me[low], speaker);
  if (Object.hasOwn(you, low)) return doer === 'listener' ? [] : named(you[low], listener);
  return Object.hasOwn(own, low) ? [own[low] ?? ''].filter(Boolean) : [text];
}

function named(template = '', name: string | null): string[] {
  return name === null || template === '' ? [] : [template.replace('{name}', () => name).replaceAll('_', ' ')];
}

function withoutCues(text: string, cues: RegExp[], code: string): string {
  let left = text;
  for (const cue of cues) {
    const found = cue.exec(fold(left, code));
    if (found && found[0].split(' ').length <= 4)
      left = `${left.slice(0, found.index)}${left.slice(found.index + found[0].length)}`;
  }
  return left.replaceAll(/\s+/g, ' ').trim();
}
