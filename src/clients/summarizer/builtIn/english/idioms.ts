import { afterAdverbs, type Finder, isBase, low, SOMEONE, startsClause } from './finding.ts';
import type { Token } from './tagger.ts';
import { baseOf, TRANSFERS } from './verbs.ts';

const DEADLINE = /^(?:by|until|till|before)$/;

/** "Give me until Tuesday to make them readable": the speaker will do it by then. */
export const askingForTime: Finder = (tokens, at) => {
  if (low(tokens, at) !== 'give' || !/^(?:me|us)$/.test(low(tokens, at + 1))) return null;
  const isTime =
    /^(?:until|till)$/.test(low(tokens, at + 2)) ||
    tokens.slice(at + 2, at + 5).some(({ low: word }) => /^(?:day|days|week|weeks|hour|hours)$/.test(word));
  if (!isTime) return null;
  const to = tokens.findIndex(({ low: word }, index) => word === 'to' && index > at + 2 && index < at + 9);
  const verb = to < 0 ? -1 : afterAdverbs(tokens, to + 1);
  if (verb > 0 && isBase(tokens[verb])) return { act: 'promise', doer: 'speaker', verb, strength: 0.55, withDate: 0.8 };
  return { act: 'promise', doer: 'speaker', verb: at, strength: 0.3, withDate: 0.6, isVerbless: true };
};

/** "You'll hear from me by Monday": the speaker gets back to the listener. */
export const hearing: Finder = (tokens, at) => {
  if (low(tokens, at) !== 'you') return null;
  const will = afterAdverbs(tokens, at + 1);
  const hear = afterAdverbs(tokens, will + 1);
  if (low(tokens, will) !== 'will' || low(tokens, hear) !== 'hear') return null;
  const isFrom = low(tokens, hear + 1) === 'from' && /^(?:me|us)$/.test(low(tokens, hear + 2));
  if (!isFrom && low(tokens, hear + 1) !== 'back') return null;
  const verb = isFrom ? hear + 2 : hear + 1;
  return { act: 'promise', doer: 'speaker', verb, instead: 'get back to', strength: 0.6, withDate: 0.85 };
};

/** "Expect the draft on Tuesday": the speaker's to send. */
export const expecting: Finder = (tokens, at) => {
  if (low(tokens, at) !== 'expect' || !startsClause(tokens, at) || !isThing(tokens[at + 1])) return null;
  return { act: 'promise', doer: 'speaker', verb: at, instead: 'send', strength: 0, withDate: 0.75 };
};

/** "Leave it with me": taken on, whatever it was. */
export const takingOver: Finder = (tokens, at) => {
  const isLeave = low(tokens, at) === 'leave' && /^(?:it|that|this|them|those)$/.test(low(tokens, at + 1));
  if (!isLeave || !/^(?:with|to)$/.test(low(tokens, at + 2)) || !/^(?:me|us)$/.test(low(tokens, at + 3))) return null;
  return { act: 'promise', doer: 'speaker', verb: at + 3, instead: 'look into it', strength: 0.55, withDate: 0.8 };
};

/** "Allow me to put it to the partners": a polite "I will". */
export const allowing: Finder = (tokens, at) => {
  const isAllow =
    low(tokens, at) === 'allow' && /^(?:me|us)$/.test(low(tokens, at + 1)) && low(tokens, at + 2) === 'to';
  const verb = at + 3;
  if (!isAllow || !isBase(tokens[verb])) return null;
  return { act: 'promise', doer: 'speaker', verb, strength: 0.35, withDate: 0.75 };
};

const WANTS = /^(?:wants?|needs?|expects?|requires?)$/;
/** Needs of the speaker are read elsewhere, and questions are no needs. */
const OWN = /^(?:i|we|you|do|does|did|will|who|what|if|nobody|no|noone)$/;

/**
 * "The venue wants numbers from me on the 30th": what the speaker owes someone else. "They want it back signed by
 * Wednesday": what the listener has to hand over.
 */
export const wantedByOthers: Finder = (tokens, at) => {
  if (!WANTS.test(low(tokens, at)) || at === 0 || low(tokens, at + 1) === 'to') return null;
  const before = tokens.slice(Math.max(0, at - 3), at);
  const subject = before.findLast(({ pos }) => /^(?:NOUN|PROPN|PRON)$/.test(pos));
  if (!subject || before.some(({ low: word }) => OWN.test(word) || /^(?:not|n't|never)$/.test(word))) return null;
  const behind = tokens.slice(at + 1, at + 12);
  const isFromSpeaker = behind.some(
    ({ low: word }, index) => /^(?:from|off|of)$/.test(word) && /^(?:me|us)$/.test(behind[index + 1]?.low ?? ''),
  );
  if (isFromSpeaker)
    return { act: 'promise', doer: 'speaker', verb: at, strength: 0.3, withDate: 0.65, isVerbless: true };
  if (!behind.some(({ low: word }) => DEADLINE.test(word))) return null;
  return { act: 'need', doer: 'listener', verb: at, strength: 0.1, withDate: 0.55, isVerbless: true };
};

/** "The licence has to be in by Monday": someone's to see to. A mere "it" goes on with what was said before. */
export const mustBe: Finder = (tokens, at) => {
  if (!/^(?:has|have|needs|need|must|got)$/.test(low(tokens, at)) || at === 0) return null;
  const to = low(tokens, at) === 'must' ? at : afterAdverbs(tokens, at + 1);
  if (low(tokens, at) !== 'must' && low(tokens, to) !== 'to') return null;
  if (!/^(?:be|go|get|reach|arrive)$/.test(low(tokens, to + 1))) return null;
  const before = tokens.slice(Math.max(0, at - 4), at);
  const isThing = before.at(-1)?.pos === 'NOUN' || before.at(-1)?.pos === 'PROPN';
  if (!isThing || before.some(({ low: word }) => /^(?:i|we|you|he|she|they|who)$/.test(word))) return null;
  if (!tokens.slice(to + 1, to + 10).some(({ low: word }) => DEADLINE.test(word))) return null;
  return {
    act: 'need',
    doer: 'listener',
    verb: at,
    strength: 0.1,
    withDate: 0.55,
    isVerbless: true,
    isForAnyone: true,
  };
};

const WHERE = /^(?:in|with|over|out|up|ready|done|finished|live|sent|shipped|delivered|posted|uploaded)$/;

/** "It'll be in the data room by Friday": the speaker's to see to. */
export const willBe: Finder = (tokens, at) => {
  if (low(tokens, at) !== 'will' || low(tokens, at + 1) !== 'be' || !WHERE.test(low(tokens, at + 2))) return null;
  const before = tokens[at - 1];
  const isThing = before?.pos === 'NOUN' || /^(?:it|they|that|this|both|everything)$/.test(before?.low ?? '');
  if (!isThing) return null;
  return { act: 'promise', doer: 'speaker', verb: at + 1, strength: 0, withDate: 0.65, isVerbless: true };
};

/** "My assistant is sending it tonight": for the speaker's side to see to. */
export const colleague: Finder = (tokens, at) => {
  if (!/^(?:is|are|'s|'re)$/.test(low(tokens, at)) || !low(tokens, at + 1).endsWith('ing')) return null;
  const [owner, person] = [low(tokens, at - 2), tokens[at - 1]];
  const isOurs = /^(?:my|our)$/.test(owner) && person?.pos === 'NOUN';
  const isSent = TRANSFERS.has(baseOf(tokens[at + 1] ?? { low: '', lemma: '' }));
  if (!isOurs || !isSent) return null;
  return { act: 'promise', doer: 'speaker', verb: at + 1, strength: 0, withDate: 0.65, isVerbless: true };
};

/** "The new pump's being fitted on Thursday": what the speaker has arranged. */
export const underWay: Finder = (tokens, at) => {
  const [before, being, verb] = [tokens[at - 1], low(tokens, at + 1), tokens[at + 2]];
  if (!/^(?:is|are|'s|'re|gets|get)$/.test(low(tokens, at)) || !before || !/^(?:NOUN|PROPN|VERB)$/.test(before.pos))
    return null;
  if (!/^get/.test(low(tokens, at)) && being !== 'being') return null;
  const done = /^get/.test(low(tokens, at)) ? tokens[at + 1] : verb;
  if (!done || !/(?:ed|en|t|nt|ht)$/.test(done.low) || done.pos !== 'VERB') return null;
  return { act: 'promise', doer: 'speaker', verb: at + 1, strength: 0, withDate: 0.6, isVerbless: true };
};

const FREE = /^(?:free|able|available|around|up|happy|willing|game)$/;

/** "Anyone free to drive on Saturday?": whoever says yes takes it on. */
export const volunteers: Finder = (tokens, at) => {
  const word = low(tokens, at);
  const isNoun = /^(?:volunteers?|takers)$/.test(word);
  if (!isNoun && !SOMEONE.has(word)) return null;
  const isAble = (isNoun || word === 'who') && /^(?:can|could|wants?)$/.test(low(tokens, at + 1));
  const next = isAble || /^(?:is|'s)$/.test(low(tokens, at + 1)) ? at + 2 : at + 1;
  const isFree = isNoun || isAble || FREE.test(low(tokens, next));
  if (!isFree || !tokens.some(({ low: word }) => word === '?')) return null;
  const to = tokens.findIndex(
    ({ low: word }, index) => /^(?:to|for)$/.test(word) && index >= next && index <= next + 2,
  );
  const verb = to < 0 ? next : afterAdverbs(tokens, to + 1);
  if (!isBase(tokens[verb])) return null;
  return { act: 'request', doer: 'someone', verb, strength: 0.65, withDate: 0.85 };
};

/** "Need your answer by 5": without an "I". */
export const bareNeeds: Finder = (tokens, at) => {
  if (!/^(?:need|needing|want)$/.test(low(tokens, at)) || !startsClause(tokens, at)) return null;
  const isYours = low(tokens, at + 1) === 'your' || isThing(tokens[at + 1]);
  if (!isYours || !tokens.slice(at + 1, at + 10).some(({ low: word }) => DEADLINE.test(word))) return null;
  return { act: 'need', doer: 'listener', verb: at, strength: 0.3, withDate: 0.85, isVerbless: true };
};

const isThing = (token: Token | undefined) =>
  token !== undefined && (/^(?:DET|NOUN|ADJ|NUM|PROPN)$/.test(token.pos) || /^(?:it|this|that|them)$/.test(token.low));
