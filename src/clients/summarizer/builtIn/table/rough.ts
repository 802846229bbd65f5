import type { Lexicon } from '../../languages/lexicon.ts';
import type { Doer } from '../types.ts';
import type { Kept } from './order.ts';
import type { Grammar, Word } from './parts.ts';
import type { Found } from './verbs.ts';

export type Said = { words: Word[]; found: Found; doer: Doer; day: string };

/** Longer tasks are quoted: what the table does not know of them is likely to read wrongly. */
const MOST_WORDS = 14;

/** Whether something else in it would have to take another form, too. */
export function isRough(
  rest: Kept[],
  { words, found: { at: verbAt, role }, doer, day }: Said,
  { verbs, nounLead, acts, calendar }: Lexicon,
  grammar: Grammar,
): boolean {
  // "I ask you to have it ready": the verb of asking is not the task.
  if (rest.length > MOST_WORDS || (role === 'mine' && doer === 'listener')) return true;
  // "Finish it on the plane and send it": the part before the "and" has a verb that the table lacks.
  const isJoined = grammar.and.includes(words[verbAt - 1]?.low ?? '') && rest.some(({ at }) => at < verbAt - 1);
  // "Sign it and drop it off": so does the part between an "and" and an "it".
  const and = grammar.verbLast ? words.findIndex(({ low }) => grammar.and.includes(low)) : -1;
  if (and >= 0 && words.slice(and).some(({ low }) => /^(?:ihn|ihm|es|sie|das)$/.test(low))) return true;
  // "Tonight, or tomorrow at the court": two alternatives, one of which will be chosen.
  if (isJoined || words.some(({ low }, at) => OR.test(low) && isBetweenDays(words, at, calendar))) return true;
  return rest.some(({ low, does, infinitive, at }, index) => {
    if (does !== infinitive || day.toLowerCase().split(' ').includes(low)) return false;
    if (grammar.several.includes(low) && isListener(words[at - 1]?.low, grammar)) return true;
    // "A gennaio ho altre due e le do a te", "c'est moi qui apporte le café": it contains a second clause.
    const isInClause = rest.slice(0, index).some(other => grammar.subordinators.includes(other.low));
    if (!isInClause && (grammar.have.includes(low) || IS.test(low))) return true;
    if (isPronounOfOther(low, words[at + 1]?.low, at, verbAt, grammar)) return true;
    if (grammar.subordinators.includes(low) && at > verbAt) return hasPersonsBehind(words, at, grammar);
    const isLed = nounLead.includes(rest[index - 1]?.low ?? '');
    const roles = verbs.get(low)?.flatMap(form => [...form.roles]) ?? [];
    const isVerb = roles.length > 0 && roles.every(role => role === 'mine' || role === 'asked');
    return (isVerb && !isLed) || (low.length > 2 && acts.question.test(low) && !grammar.subordinators.includes(low));
  });
}

const IS = /^(?:est|sont|è|é|são|está|estão)$/u;

const OR = /^(?:oder|или|либо|або|чи|albo|lub|bądź|ou|o|oppure|veya)$/;

function isBetweenDays(words: Word[], at: number, { anyDay }: Lexicon['calendar']): boolean {
  const [before, after] = [words.slice(0, at), words.slice(at + 1)].map(some => some.map(({ low }) => low).join(' '));
  return anyDay.test(before ?? '') && anyDay.test(after ?? '');
}

function isListener(low: string | undefined, { you }: Grammar): boolean {
  return low !== undefined && Object.hasOwn(you, low);
}

/** "… y mañana se lo enseñamos": a pronoun before another verb, which the table lacks. */
function isPronounOfOther(
  low: string,
  next: string | undefined,
  at: number,
  verbAt: number,
  grammar: Grammar,
): boolean {
  const { objects, needsSubject, elides } = grammar;
  return (
    at > verbAt &&
    !needsSubject &&
    !elides &&
    low === 'lo' &&
    Object.hasOwn(objects, low) &&
    !/^(?:que|de|del)$/.test(next ?? '')
  );
}

/** "… whether you can": the pronouns of a subordinate clause would have to change. */
function hasPersonsBehind(words: Word[], from: number, { me, you, subjects }: Grammar): boolean {
  return words
    .slice(from + 1)
    .some(({ low }) => Object.hasOwn(me, low) || Object.hasOwn(you, low) || subjects.includes(low));
}
