import type { Deed, Voices } from '../types.ts';
import { clauseEnd } from './clauses.ts';
import { type Head, startsClause } from './finding.ts';
import type { Token } from './tagger.ts';
import { pastOf, thirdPersonOf } from './verbs.ts';

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

export function deedOf(tokens: Token[], head: Head, voices: Voices): Deed {
  if (head.isSaid) return saidDeed(tokens, head, voices);
  const verb = head.instead ?? tokens[head.verb]?.low ?? '';
  const rest = tokens
    .slice(head.verb + 1, clauseEnd(tokens, head.verb))
    .filter(({ low }) => !/^(?:please|kindly|just|also|maybe)$|^@./.test(low));
  dropCourtesy(rest);
  // "Fancy taking that on, Tanvi?"
  const last = rest.at(-1)?.low;
  const isCalled = voices.listener !== null && last === voices.listener.toLowerCase().split(' ')[0];
  if (isCalled && rest.length > 1 && (head.doer === 'listener' || rest.at(-2)?.low === 'you')) rest.pop();
  const before = fronted(tokens, head);
  const objectFollows = rest.some(({ pos }) => ['NOUN', 'PROPN'].includes(pos)) && !before.isTime;
  const isHandedOver = head.instead === 'send' && head.doer === 'speaker';
  const receiver =
    (isHandedOver || head.instead === 'get back to') && voices.listener
      ? `${voices.listener} `
      : head.instead === 'give'
        ? `${voices.speaker} `
        : '';
  const front = objectFollows && before.words.length > 0 && !isTimeOnly(rest) ? [] : before.words;
  const words = before.isTime ? [...rest, ...front] : [...front, ...rest];
  const label = labelBefore(tokens, head, verb);
  const isPronoun = /^(?:it|them|this|that)$/.test(words[0]?.low ?? '') && receiver !== '';
  const told = isPronoun
    ? `${words[0]?.low} to ${receiver}${spoken(words.slice(1), head, voices, verb)}`.trim()
    : `${receiver}${spoken(words, head, voices, verb)}`;
  const said = `${told}${introducedTo(tokens, head, rest)}${label}`.trim();
  const both = words.some(({ low }, index) => low === 'and' && words[index + 1]?.pos === 'VERB');
  const isDo = verb === 'do' && !words.some(({ pos }) => pos === 'NOUN');
  const isThird = typeof head.doer === 'object' && !/^\p{Lu}/u.test(head.doer.name);
  return {
    toDo: isDo && said === '' ? 'do it' : `${verb} ${said}`.trim(),
    will: isThird ? null : isDo && said === '' ? 'will do it' : `will ${verb} ${said}`.trim(),
    did: both || verb === 'let' || verb.includes(' ') ? null : `${pastOf(verb)} ${said}`.trim(),
    isVague: isDo || (head.instead !== 'look into it' && isVague(verb, words)),
    // "Hand it to the auditor": what "it" is was said before.
    pointsBack:
      head.instead === 'look into it' ||
      (/^(?:it|them|this|that|these|those)$/.test(words[0]?.low ?? '') && words[1]?.pos !== 'NOUN'),
    isFile: !NO_FILE.has(verb),
  };
}

/** "Clause 11: please put 75 percent" is about clause 11, "cake and flowers, I'll text you" about those. */
function labelBefore(tokens: Token[], { from }: Head, verb: string): string {
  const mark = tokens.slice(0, from).findLastIndex(({ low }) => low === ':' || low === ',');
  const label = tokens.slice(0, Math.max(0, mark));
  const isOpen = tokens.slice(mark + 1, from).every(({ low }) => low === 'please');
  const isLabel = label.every(({ pos, low }) => /^(?:NOUN|PROPN|NUM|ADJ|DET)$/.test(pos) || low === 'and');
  if (
    mark < 0 ||
    label.length > 4 ||
    !isOpen ||
    !isLabel ||
    !label.some(({ pos }) => pos === 'NOUN' || pos === 'PROPN')
  )
    return '';
  const text = label.map(({ text: word, spaceBefore }, at) => `${spaceBefore && at > 0 ? ' ' : ''}${word}`).join('');
  const words = /^\p{Lu}\p{Ll}/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
  if (TELLS.test(verb)) return ` about ${words}`;
  if (tokens[mark]?.low === ',') return '';
  return PUTS.test(verb) ? ` in ${words}` : ` (${text})`;
}

const TELLS = /^(?:tell|text|call|ring|write|message|email|mail|ping|update|inform)$/;
const PUTS = /^(?:put|set|insert|write|enter|add|change)$/;

/** "We use a good printer, I can introduce you": to whom, was said before. */
function introducedTo(tokens: Token[], { from, verb }: Head, rest: Token[]): string {
  if (
    !/^(?:introduce|connect)$/.test(tokens[verb]?.low ?? '') ||
    rest.some(({ low }) => low === 'to' || low === 'with')
  )
    return '';
  const end = tokens.slice(0, from).findLastIndex(({ pos }) => pos === 'NOUN' || pos === 'PROPN');
  let start = end;
  while (start > 0 && /^(?:NOUN|PROPN|ADJ)$/.test(tokens[start - 1]?.pos ?? '')) start -= 1;
  if (end < 0 || rest.some(({ pos }) => pos === 'NOUN' || pos === 'PROPN')) return '';
  const words = tokens
    .slice(start, end + 1)
    .map(({ text, spaceBefore }, at) => `${spaceBefore && at > 0 ? ' ' : ''}${text}`);
  return tokens[end]?.pos === 'PROPN' && start === end ? ` to ${words.join('')}` : ` to the ${words.join('')}`;
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
function saidDeed(tokens: Token[], head: Head, voices: Voices): Deed {
  const { words } = fronted(tokens, { ...head, from: head.verb });
  if (head.instead) {
    const rest = spoken(tokens.slice(head.verb + 1, clauseEnd(tokens, head.verb)), head, voices);
    const article = /^(?:DET|PRON|NUM)$/.test(words[0]?.pos ?? '') ? '' : 'the ';
    const thing = spoken(words, head, voices);
    const given = head.doer === 'speaker' && thing ? `${voices.listener ?? ''} ${article}${uncapitalized(thing)} ` : '';
    return { toDo: `${head.instead} ${given}${rest}`.replace('  ', ' '), will: null, did: null, isVague: false };
  }
  const all = [...words, ...tokens.slice(head.verb, clauseEnd(tokens, head.verb))];
  return { toDo: spoken(all, head, voices), will: null, did: null, isVague: false };
}

const uncapitalized = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

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

/** The words with names in place of "I" and "you"; the doer's own things become "the" or "their" things. */
export function spoken(words: Token[], { doer }: Pick<Head, 'doer'>, { speaker, listener }: Voices, verb = ''): string {
  const own = doer === 'speaker' ? 'first' : doer === 'listener' ? 'second' : 'none';
  const name = { first: speaker, second: listener ?? 'the others' };
  let text = '';
  for (let at = 0; at < words.length; at += 1) {
    const token = words[at];
    if (!token) continue;
    let word =
      token.low === 'until' &&
      !LASTING.test(words[at - 1]?.low ?? '') &&
      at > 0 &&
      DAY_WORDS.test(words[at + 1]?.low ?? '')
        ? 'by'
        : token.text;
    const person = FIRST.test(token.low) ? 'first' : SECOND.test(token.low) ? 'second' : null;
    if (person) {
      const isOwner = /^(?:my|our|your)$/.test(token.low);
      const isSubject =
        /^(?:i|we|you)$/.test(token.low) &&
        ['VERB', 'AUX'].includes(words[at + 1]?.pos ?? '') &&
        !CAUSING.test(words[at - 1]?.low ?? verb);
      if (person === own) word = isOwner ? ownArticle(words[at + 1]) : isSubject ? 'they' : 'them';
      else word = isOwner ? `${name[person]}'s` : name[person];
      if (isSubject && person === own) {
        const next = words[at + 1];
        if (next?.low === 'am') words[at + 1] = { ...next, text: 'are' };
      }
      if (isSubject && person !== own) {
        const next = words[at + 1];
        if (next) words[at + 1] = { ...next, text: agreed(next) };
      }
    }
    // "It's" in full spelling begins with a capital.
    const isInside = at > 0 && /^(?:It|He|She|They|That|This|There)$/.test(word);
    text += `${token.spaceBefore && text !== '' ? ' ' : ''}${/^I$/.test(word) ? 'they' : isInside ? word.toLowerCase() : word}`;
  }
  return text.trim();
}

/** "Let you know" has no subject in it. */
const CAUSING = /^(?:let|make|help|have|see|watch|for)$/;
/** What lasts until a day; other things are done by it. */
const LASTING = /^(?:wait|stay|keep|hold|be|open|closed|away|off|out|free|here|valid)$/;
/** "Ask their boss", but "send Stefan the bios": "their" would be taken for his. */
function ownArticle(next: Token | undefined): string {
  return /^(?:husband|wife|partner|boss|manager|team|colleagues?|assistant|lawyer|accountant|clients?|mother|father|mum|mom|dad|sister|brother|son|daughter|friends?|family|kids?|parents|landlord|supplier|designer|former|own)$/.test(
    next?.low ?? '',
  )
    ? 'their'
    : 'the';
}
const FIRST = /^(?:i|me|we|us|my|our|myself)$/;
const SECOND = /^(?:you|your|yourself)$/;

/** "you need" becomes "Farid needs". */
function agreed({ text, low, lemma, pos }: Token): string {
  if (low === 'are' || low === 'am') return 'is';
  if (low === 'were') return 'was';
  if (low === 'have') return 'has';
  if (pos === 'AUX' || lemma !== low) return text;
  return thirdPersonOf(low);
}
