import { fold } from '../../cleaning.ts';
import type { Lexicon } from '../../languages/lexicon.ts';
import type { Deed, Doer, Voices } from '../types.ts';
import type { Found, Grammar, Word } from './reader.ts';

type Said = { words: Word[]; found: Found; doer: Doer; day: string };

/** The task in the infinitive, with names for "me" and "you". */
export function deedOf({ words, found, doer, day }: Said, lexicon: Lexicon, grammar: Grammar, voices: Voices): Deed {
  const { verb } = found.form;
  const left = words.flatMap((word, at) =>
    at === found.at || word.low === verb.particle ? [] : reworded(word, doer, grammar, voices),
  );
  const rest = withoutCues(
    left.join(' '),
    [grammar.will, grammar.can, grammar.ask, lexicon.acts.someone],
    lexicon.code,
  );
  const join = (...parts: string[]) => parts.filter(Boolean).join(' ');
  const does = grammar.doesLast ? join(rest, verb.does) : join(verb.does, rest, verb.particle);
  return {
    toDo: grammar.verbLast ? join(rest, verb.infinitive) : join(verb.infinitive, rest),
    will: verb.does === '' ? null : does,
    did: null,
    isVague: !thingsIn(rest, day).some(word => word.length > 3),
  };
}

/** The words that are no part of the day. */
function thingsIn(rest: string, day: string): string[] {
  const days = new Set(day.toLowerCase().split(' '));
  return rest.split(' ').filter(word => !days.has(word.toLowerCase()));
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
