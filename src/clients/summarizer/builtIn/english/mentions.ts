import type { Deed, Reading } from '../types.ts';
import { clauseEnd } from './clauses.ts';
import { deedOf, spoken } from './deeds.ts';
import { afterAdverbs, isBase, low } from './finding.ts';
import type { Token } from './tagger.ts';

type Said = Pick<Reading, 'tokens' | 'voices'>;

const LONGEST_SUBJECT = 8;
const HAVE_OR_DID = /^(?:have|did|had)$/;

/** What a sentence names without asking for it, for a later "I'll do it": "have you called them", "did you book a table", "are you going to write the report" */
export function askedDeed({ tokens, voices }: Said): Deed | null {
  if (!tokens) return null;
  const at = tokens.findIndex(({ low: word }, index) => word === 'you' && isAuxiliary(low(tokens, index - 1)));
  if (at < 0) return null;
  const first = afterAdverbs(tokens, at + 1);
  const isGoing = low(tokens, first) === 'going' && low(tokens, first + 1) === 'to';
  const verb = isGoing ? first + 2 : first;
  const token = tokens[verb];
  if (!token || !['VERB', 'NOUN'].includes(token.pos)) return null;
  if (HAVE_OR_DID.test(low(tokens, at - 1)) ? NO_DEED.test(token.lemma) : !isBase(token) && !isGoing) return null;
  const head = {
    act: 'request',
    doer: 'listener',
    verb,
    from: at,
    instead: token.lemma,
    strength: 0,
    withDate: 0,
  } as const;
  const deed = deedOf(withoutYet(tokens.slice(0, clauseEnd(tokens, verb))), head, voices);
  return deed.isVague || deed.pointsBack ? null : deed;
}

const isAuxiliary = (word: string) => /^(?:have|did|will|are|were|can|could|would)$/.test(word);
const NO_DEED =
  /^(?:be|have|hear|see|know|think|like|want|get|go|feel|notice|forget|lose|find|receive|try|enjoy|meet)$/;

function withoutYet(tokens: Token[]): Token[] {
  return tokens.filter(({ low: word }) => !/^(?:yet|already|ever|still)$/.test(word));
}

/**
 * The thing that a sentence is about, if any: what comes before a verb that does nothing to another thing, as in
 * "Dmitry's last invoice, 1,850 €, was stuck".
 */
export function subjectOf({ tokens, voices }: Said): string | null {
  if (!tokens) return null;
  const colon = tokens.findIndex(({ low: word }) => word === ':');
  const from = colon >= 0 && colon <= 3 ? colon + 1 : 0;
  const verb = tokens.findIndex(({ pos }, at) => at > from && (pos === 'AUX' || pos === 'VERB'));
  const words = tokens.slice(from, verb);
  if (verb < 0 || !/^(?:is|are|was|were|has|have)$/.test(low(tokens, verb)) || words.length > LONGEST_SUBJECT + 4)
    return null;
  const isThing = words.every(
    ({ pos, low: word }) =>
      ['NOUN', 'PROPN', 'ADJ', 'DET', 'NUM', 'PART', 'SYM'].includes(pos) ||
      /^(?:my|our|your|'s|of|for|,|[€$£%])$/.test(word),
  );
  if (
    !isThing ||
    !words.some(({ pos }) => pos === 'NOUN') ||
    PERSON.test(words.findLast(({ pos }) => pos === 'NOUN')?.low ?? '')
  )
    return null;
  const text = spoken(words, { doer: 'someone' }, voices).replace(/,$/, '');
  return words[0]?.pos === 'PROPN' ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

const PERSON =
  /^(?:customer|client|boss|colleague|guy|man|woman|person|people|team|friend|lawyer|doctor|manager|director|partner|supplier|driver|mother|father|wife|husband|son|daughter|kid|child|children|brother|sister|day|week|month|time|weather|meeting|call)s?$/;

/** A yes-or-no question as what someone is to be told. */
export function whetherOf({ tokens, voices }: Said): string | null {
  if (!tokens) return null;
  const at = tokens.findIndex(
    ({ low: word }, index) =>
      /^(?:can|could|may|should|will|would)$/.test(word) && /^(?:i|we|you)$/.test(low(tokens, index + 1)),
  );
  if (at < 0 || at > 4 || !isBase(tokens[afterAdverbs(tokens, at + 2)])) return null;
  const subject = /^(?:i|we)$/.test(low(tokens, at + 1)) ? 'they' : (voices.listener ?? 'the others');
  const rest = spoken(tokens.slice(at + 2, clauseEnd(tokens, at + 2)), { doer: 'speaker' }, voices);
  const modal = low(tokens, at).replace('could', 'can').replace('would', 'will');
  return `whether ${subject} ${modal} ${rest}`;
}
