import type { Deed } from '../types.ts';
import { clauseEnd } from './clauses.ts';
import { type Head, startsClause } from './finding.ts';
import type { Token } from './tagger.ts';

const DAY_WORDS =
  /^(?:today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|on|by|until|till|before|this|next|week|weekend|evening|morning|afternoon|noon|the|end|of|day|month|over|at|for|in|latest|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|am|pm|\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?::\d{2})?(?:am|pm)?)$/;
export const isDayWord = (low: string) => DAY_WORDS.test(low);
const VAGUE_OBJECT = /^(?:it|them|this|that|these|those|one|so|both|something|him|her|some|any|everything|all)$/;

/** The words of a thing that comes before "I will": "the cap table I can send". */
function fronted(tokens: Token[], head: Head): { words: Token[]; isTime: boolean } {
  let from = head.from;
  while (from > 0 && !startsClause(tokens, from) && head.from - from < 6) from -= 1;
  const words = tokens.slice(from, head.from).filter(({ low }) => !low.startsWith('@'));
  const isThing = words.every(
    ({ pos, low }) =>
      ['NOUN', 'PROPN', 'ADJ', 'DET', 'NUM'].includes(pos) || /^(?:my|your|this|that|of|for|on|by)$/.test(low),
  );
  const isTime = words.length > 0 && words.every(({ low }) => DAY_WORDS.test(low));
  const hasNoun = words.some(({ pos }) => pos === 'NOUN' || pos === 'PROPN');
  return (isThing && hasNoun) || isTime ? { words, isTime } : { words: [], isTime: false };
}

export function deedOf(tokens: Token[], head: Head, listener: string | null): Deed {
  if (head.isSaid) return saidDeed(tokens, head);
  const verb = head.instead ?? tokens[head.verb]?.low ?? '';
  const rest = tokens
    .slice(head.verb + 1, clauseEnd(tokens, head.verb))
    .filter(({ low }) => !/^(?:please|kindly|just|also|maybe)$|^@./.test(low));
  dropCourtesy(rest);
  // "Fancy taking that on, Tanvi?"
  const last = rest.at(-1)?.low;
  const isCalled = listener !== null && last === listener.toLowerCase().split(' ')[0];
  if (isCalled && rest.length > 1 && (head.doer === 'listener' || rest.at(-2)?.low === 'you')) rest.pop();
  const before = fronted(tokens, head);
  const objectFollows = rest.some(({ pos }) => ['NOUN', 'PROPN'].includes(pos)) && !before.isTime;
  const front = objectFollows && before.words.length > 0 && !isTimeOnly(rest) ? [] : before.words;
  const words = before.isTime ? [...rest, ...front] : [...front, ...rest];
  const isDo = verb === 'do' && !words.some(({ pos }) => pos === 'NOUN');
  return {
    words: wordsOf(verb, words),
    isVague: isDo || (head.instead !== 'look into it' && isVague(verb, words)),
    // "Hand it to the auditor": what "it" is was said before.
    pointsBack:
      head.instead === 'look into it' ||
      (/^(?:it|them|this|that|these|those)$/.test(words[0]?.low ?? '') && words[1]?.pos !== 'NOUN'),
    isFile: !NO_FILE.has(verb),
  };
}

function wordsOf(verb: string, tokens: Token[]): string {
  return tokens.reduce((text, { low, spaceBefore }) => `${text}${spaceBefore ? ' ' : ''}${low}`, verb).trim();
}

/** "When you can", "if possible" at the end. */
function dropCourtesy(rest: Token[]): void {
  const words = rest.map(({ low }) => low).join(' ');
  const found =
    /(?:^| )(?:(?:when(?:ever)?|if|as soon as) (?:you|u) (?:can|could|like|want|have time|get a chance|are free|have a (?:sec|second|minute|min|moment))|if possible|by the way)$/.exec(
      words,
    );
  if (found) rest.splice(rest.length - found[0].trim().split(' ').length);
}

/** "Deposit goes out Monday morning"; "Tim leaves on Friday" is for Tim to "leave on Friday". */
function saidDeed(tokens: Token[], head: Head): Deed {
  const { words } = fronted(tokens, { ...head, from: head.verb });
  const end = clauseEnd(tokens, head.verb);
  const { instead } = head;
  const all = instead ? [...words, ...tokens.slice(head.verb + 1, end)] : [...words, ...tokens.slice(head.verb, end)];
  return { words: wordsOf(instead ?? '', all), isVague: false };
}

function isTimeOnly(rest: Token[]): boolean {
  return rest.every(({ low, pos }) => DAY_WORDS.test(low) || ['ADV', 'ADP', 'PUNCT'].includes(pos));
}

/** Verbs that say little without an object. */
const NEEDS_THING = new Set(
  'do tell ask answer check confirm send give share forward look find make get bring buy order move put let sort fix read review prepare'.split(
    ' ',
  ),
);
/** Verbs of tasks that no file settles. */
const NO_FILE = new Set(
  'ask call ring phone tell pay meet talk speak check look find come go visit book order buy reserve transfer wait ship bring'.split(
    ' ',
  ),
);

function isVague(verb: string, words: Token[]): boolean {
  const things = words.filter(
    ({ pos, low }) => (pos === 'NOUN' || pos === 'PROPN' || (pos === 'NUM' && low !== 'one')) && !DAY_WORDS.test(low),
  );
  if (things.length > 0) return false;
  // "Introduce you" says whom.
  if (!NEEDS_THING.has(verb) && verb !== 'help' && PERSONS.test(words[0]?.low ?? '')) return false;
  if (NEEDS_THING.has(verb) && asksWhat(words)) return false;
  const know = verb === 'let' ? words.findIndex(({ low }) => low === 'know') : -1;
  if (know >= 0 && words.slice(know + 1).every(isNoThing)) return true;
  return NEEDS_THING.has(verb)
    ? words.every(isNoThing) || words.some(({ low }) => VAGUE_OBJECT.test(low))
    : words.some(({ low }) => VAGUE_OBJECT.test(low)) || (!ALONE.has(verb) && words.every(isNoThing));
}

const PERSONS = /^(?:me|us|you)$/;

/** "Tell you what was missing" */
function asksWhat(words: Token[]): boolean {
  const at = words.findIndex(({ low }) => /^(?:what|how|when|where|why|who|which)$/.test(low));
  return at >= 0 && words.slice(at + 1).some(({ pos }) => ['VERB', 'ADJ', 'NOUN'].includes(pos));
}

/** Verbs that need no object. */
const ALONE = new Set(
  'swing pop come go leave drive travel fly arrive start be call ring phone reply wait stay land vote attend move work train cook decide'.split(
    ' ',
  ),
);

const isNoThing = ({ pos, low }: Token) =>
  pos === 'PRON' || pos === 'ADV' || pos === 'ADP' || pos === 'PUNCT' || DAY_WORDS.test(low);
