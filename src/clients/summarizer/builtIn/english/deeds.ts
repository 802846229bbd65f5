import type { Deed, Voices } from '../types.ts';
import { type Head, startsClause } from './heads.ts';
import type { Token } from './tagger.ts';
import { pastOf, thirdPersonOf } from './verbs.ts';

const ENDS_ALWAYS =
  /^(?:but|so|because|though|although|since|if|unless|cause|otherwise|whereas|[;:()!?…–—"“”]|-|\.{2,}|\.)$/;
const SUBJECTS = /^(?:i|we|you|he|she|it|they|that|this|there|who|someone|somebody|please|let|can|could|thanks)$/;
const TRAILING =
  /^(?:please|thanks|thank|ok|okay|too|then|now|haha|lol|though|right|cheers|promise|and|or|to|with|,|anyway|well|yes|yeah|sorry|guys|also)$/;
const DAY_WORDS =
  /^(?:today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|on|by|until|till|before|this|next|week|weekend|evening|morning|afternoon|noon|the|end|of|day|month|over|at|for|in|latest|\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?::\d{2})?(?:am|pm)?)$/;
export const isDayWord = (low: string) => DAY_WORDS.test(low);
const VAGUE_OBJECT = /^(?:it|them|this|that|these|those|one|so|both|something|him|her|some|any|everything|all)$/;

/** The words from the verb to the end of its clause. */
export function clauseEnd(tokens: Token[], verb: number): number {
  let end = verb + 1;
  for (; end < tokens.length; end += 1) {
    const { low, pos, spaceBefore } = tokens[end] ?? { low: '', pos: '', spaceBefore: false };
    const next = tokens[end + 1];
    if (low === '-' && !(spaceBefore && next?.spaceBefore)) continue;
    if (ENDS_ALWAYS.test(low)) break;
    if (low === ',' && !goesOnAsList(tokens, end)) break;
    if (['and', '+', '&', 'or', 'then', 'as'].includes(low) && opensClause(tokens, end + 1)) break;
    if (pos === 'INTJ' && low !== 'please') break;
  }
  while (end > verb + 1 && TRAILING.test(tokens[end - 1]?.low ?? '')) end -= 1;
  return end;
}

function opensClause(tokens: Token[], at: number): boolean {
  const first = tokens[at];
  if (!first) return true;
  if (SUBJECTS.test(first.low)) return true;
  // "and the designer is off": a subject of its own within a few words.
  for (let next = at; next < at + 4; next += 1) {
    const token = tokens[next];
    if (!token || token.pos === 'PUNCT') return false;
    if (next > at && (token.pos === 'AUX' || ['is', 'are', 'was', 'will', 'has'].includes(token.low))) return true;
    if (token.pos === 'VERB') return false;
  }
  return false;
}

/** "the budget, the plan and the dates" goes on; "the budget, it is late" does not. */
function goesOnAsList(tokens: Token[], comma: number): boolean {
  let joined = false;
  for (let at = comma + 1; at < tokens.length && at < comma + 12; at += 1) {
    const { low, pos } = tokens[at] ?? { low: '', pos: '' };
    if (pos === 'VERB' || pos === 'AUX' || SUBJECTS.test(low) || pos === 'INTJ') return false;
    if (/^[.;:!?…()]$/.test(low)) break;
    if (low === 'and' || low === 'or') joined = true;
  }
  return joined;
}

/** Words of a thing that stands before "I will": "the cap table I can send". */
function fronted(tokens: Token[], head: Head): { words: Token[]; isTime: boolean } {
  let from = head.from;
  while (from > 0 && !startsClause(tokens, from) && head.from - from < 6) from -= 1;
  const words = tokens.slice(from, head.from);
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
    .filter(({ low }) => !/^(?:please|kindly|just|also|maybe)$/.test(low));
  const before = fronted(tokens, head);
  const objectFollows = rest.some(({ pos }) => ['NOUN', 'PROPN'].includes(pos)) && !before.isTime;
  const isHandedOver = head.instead === 'send' && head.doer === 'speaker';
  const receiver =
    isHandedOver && voices.listener ? `${voices.listener} ` : head.instead === 'give' ? `${voices.speaker} ` : '';
  const front = objectFollows && before.words.length > 0 && !isTimeOnly(rest) ? [] : before.words;
  const words = before.isTime ? [...rest, ...front] : [...front, ...rest];
  const said = `${receiver}${spoken(words, head, voices)}`.trim();
  const both = words.some(({ low }, index) => low === 'and' && words[index + 1]?.pos === 'VERB');
  const isDo = verb === 'do' && !words.some(({ pos }) => pos === 'NOUN');
  const isThird = typeof head.doer === 'object' && !/^\p{Lu}/u.test(head.doer.name);
  return {
    toDo: `${verb} ${said}`.trim(),
    will: isThird ? null : `will ${verb} ${said}`.trim(),
    did: both || verb === 'let' ? null : `${pastOf(verb)} ${said}`.trim(),
    isVague: isDo || words.length === 0 || isVague(words),
  };
}

/** "Deposit goes out Monday morning" */
function saidDeed(tokens: Token[], head: Head, voices: Voices): Deed {
  const { words } = fronted(tokens, { ...head, from: head.verb });
  const all = [...words, ...tokens.slice(head.verb, clauseEnd(tokens, head.verb))];
  return { toDo: spoken(all, head, voices), will: null, did: null, isVague: false };
}

function isTimeOnly(rest: Token[]): boolean {
  return rest.every(({ low, pos }) => DAY_WORDS.test(low) || ['ADV', 'ADP', 'PUNCT'].includes(pos));
}

function isVague(words: Token[]): boolean {
  const things = words.filter(
    ({ pos, low }) => (pos === 'NOUN' || pos === 'PROPN' || pos === 'NUM') && !DAY_WORDS.test(low),
  );
  return things.length === 0 && words.some(({ low }) => VAGUE_OBJECT.test(low));
}

/** The words with names for "I" and "you"; the doer's own things are "their" things. */
function spoken(words: Token[], { doer }: Head, { speaker, listener }: Voices): string {
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
      const isSubject = /^(?:i|we|you)$/.test(token.low) && ['VERB', 'AUX'].includes(words[at + 1]?.pos ?? '');
      if (person === own) word = isOwner ? 'their' : isSubject ? 'they' : 'them';
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
    text += `${token.spaceBefore && text !== '' ? ' ' : ''}${/^I$/.test(word) ? 'they' : word}`;
  }
  return text.trim();
}

/** What goes on until a day, where other things are done by it. */
const LASTING = /^(?:wait|stay|keep|hold|be|open|closed|away|off|out|free|here|valid)$/;
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
