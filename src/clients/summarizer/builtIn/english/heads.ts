import type { Act, Doer } from '../types.ts';
import type { Token } from './tagger.ts';
import { ABILITIES, BETWEEN, MOMENTARY, REQUESTS, STATES, TELLING, TRANSFERS, WISHES } from './verbs.ts';

/** Where in a sentence somebody takes something on or asks for it. */
export type Head = {
  act: Act;
  doer: Doer;
  /** First word of the head, and the verb of what is to be done. */
  from: number;
  verb: number;
  /** The verb to write where it isn't the one said: "you will have it" is "send it". */
  instead?: string;
  /** The words are told as they were said: no verb of theirs can be put before a name. */
  isSaid?: boolean;
  /** Where its words end, when not with the clause. */
  end?: number;
  strength: number;
  /** What a date in the same sentence makes of the strength. */
  withDate: number;
};

type Finding = Omit<Head, 'from' | 'end'>;
type Finder = (tokens: Token[], at: number) => Finding | null;

const SPEAKER = new Set(['i', 'we']);
const SOMEONE = new Set(['someone', 'somebody', 'anyone', 'anybody', 'who']);
const THIRD = new Set(['he', 'she', 'they']);
const PEOPLE_TO_ASK = new Set(['you', 'u', 'someone', 'somebody', 'anyone', 'anybody', 'one']);

/** All heads of a sentence, left to right; words in one head are in no other. */
export function findHeads(tokens: Token[]): Head[] {
  const heads: Head[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    for (const find of FINDERS) {
      const found = find(tokens, at);
      if (!found) continue;
      heads.push({ ...found, from: at });
      at = Math.max(at, found.verb);
      break;
    }
  }
  return heads;
}

const low = (tokens: Token[], at: number) => tokens[at]?.low ?? '';

function afterAdverbs(tokens: Token[], at: number): number {
  let next = at;
  while (BETWEEN.has(low(tokens, next)) && next < at + 3) next += 1;
  return next;
}

export function isBase(token: Token | undefined): boolean {
  if (!token || !/^\p{L}{2,}$/u.test(token.low)) return false;
  if (['PRON', 'DET', 'ADP', 'PUNCT', 'NUM', 'PART', 'SCONJ', 'CCONJ'].includes(token.pos)) return false;
  return token.lemma === token.low || REQUESTS.has(token.low);
}

const isVerb = (token: Token | undefined) => token !== undefined && (token.pos === 'VERB' || REQUESTS.has(token.low));

/** Nothing, a mark or a joining word stands before. */
export function startsClause(tokens: Token[], at: number): boolean {
  const before = tokens[at - 1];
  return (
    !before || before.pos === 'PUNCT' || /^(?:and|but|so|then|or|also|\+|&|;|-|–|:|ok|okay|sure|yes)$/.test(before.low)
  );
}

const promises: Finder = (tokens, at) => {
  if (!SPEAKER.has(low(tokens, at))) return null;
  const next = afterAdverbs(tokens, at + 1);
  const promise = (verb: number, strength: number, withDate: number): Finding | null => {
    if (!isBase(tokens[verb])) return null;
    const isMomentary = MOMENTARY.has(low(tokens, verb));
    return {
      act: 'promise',
      doer: 'speaker',
      verb,
      strength: isMomentary ? Math.min(strength, 0.3) : strength,
      withDate,
    };
  };
  if (/^(?:hope|wish|whether|think|unless|if)$/.test(low(tokens, at - 1))) return null;
  const word = low(tokens, next);
  const then = afterAdverbs(tokens, next + 1);
  if (word === 'will' || word === 'shall') {
    if (low(tokens, then) === 'have' && low(tokens, then + 1) === 'to') return promise(then + 2, 0.6, 0.8);
    return promise(then, low(tokens, then) === 'be' ? 0.3 : 0.8, 0.9);
  }
  if (word === 'am' || word === 'are') {
    if (low(tokens, then) === 'going' && low(tokens, then + 1) === 'to') return promise(then + 2, 0.75, 0.85);
    return continuous(tokens, then);
  }
  if (word === 'can' || word === 'could') return promise(then, 0.25, word === 'can' ? 0.6 : 0.4);
  if (word === 'must' || word === 'should') return promise(then, 0.35, 0.7);
  if (['have', 'need', 'promise', 'plan', 'intend'].includes(word) && low(tokens, next + 1) === 'to')
    return promise(afterAdverbs(tokens, next + 2), word === 'promise' ? 0.8 : 0.45, 0.75);
  if (word === 'would' || word === 'want') return null;
  if (['need', 'require'].includes(word) && isThing(tokens, next + 1))
    return { act: 'need', doer: 'listener', verb: next, instead: 'give', strength: 0.4, withDate: 0.8 };
  const token = tokens[next];
  if (isInverted(tokens, at)) return null;
  if (token && isVerb(token) && isBase(token) && !STATES.has(token.lemma)) return promise(next, 0.15, 0.75);
  return null;
};

/** Asked, not promised: "do we keep", "how many did we lose". */
function isInverted(tokens: Token[], at: number): boolean {
  return ['do', 'did', 'does', 'can', 'could', 'should', 'shall', 'may', 'when', 'if', 'where', 'what', 'how'].includes(
    low(tokens, at - 1),
  );
}

/** A thing is needed, not "to do something" or "somebody". */
function isThing(tokens: Token[], at: number): boolean {
  const words = tokens.slice(at, at + 5);
  const [first] = words;
  if (!first || ['to', 'you', 'ask', 'a', 'help'].includes(first.low) || first.pos === 'VERB') return false;
  return (
    ['DET', 'NOUN', 'ADJ', 'NUM', 'PROPN'].includes(first.pos) ||
    /^(?:it|them|your|this|that|these|by|until|from)$/.test(first.low)
  );
}

/** "I'm sending it tonight", "forwarding it on Monday" */
function continuous(tokens: Token[], at: number): Finding | null {
  const token = tokens[at];
  if (!token?.low.endsWith('ing') || !['VERB', 'NOUN', 'ADJ'].includes(token.pos)) return null;
  if (
    STATES.has(token.lemma) ||
    [
      'going',
      'looking',
      'talking',
      'doing',
      'being',
      'trying',
      'asking',
      'morning',
      'evening',
      'meeting',
      'landing',
      'building',
      'travelling',
      'traveling',
      'something',
      'anything',
      'nothing',
      'working',
      'coming',
      'reading',
      'during',
    ].includes(token.low)
  )
    return null;
  return { act: 'promise', doer: 'speaker', verb: at, instead: token.lemma, strength: 0.2, withDate: 0.75 };
}

const bareFuture: Finder = (tokens, at) => {
  const next = afterAdverbs(tokens, at + 1);
  if (low(tokens, at) === 'will' && startsClause(tokens, at) && isBase(tokens[next]))
    return { act: 'promise', doer: 'speaker', verb: next, strength: 0.75, withDate: 0.9 };
  if (at === 0 && continuous(tokens, at)) return continuous(tokens, at);
  const isLet = low(tokens, at) === 'let' && low(tokens, at + 1) === 'me' && isBase(tokens[at + 2]);
  if (isLet && !['know', 'see', 'have', 'get'].includes(low(tokens, at + 2)))
    return { act: 'promise', doer: 'speaker', verb: at + 2, strength: 0.35, withDate: 0.6 };
  return null;
};

/** "You'll have it by noon": the speaker is to hand it over. */
const handOver: Finder = (tokens, at) => {
  if (
    low(tokens, at) !== 'you' ||
    ['so', 'when', 'if', 'that', 'do', 'did', 'once', 'until', 'because'].includes(low(tokens, at - 1))
  )
    return null;
  const next = afterAdverbs(tokens, at + 1);
  const isFuture = low(tokens, next) === 'will';
  const isWish = low(tokens, next) === 'should';
  const verb = isFuture || isWish ? afterAdverbs(tokens, next + 1) : next;
  if (!['have', 'get', 'receive'].includes(low(tokens, verb)) || low(tokens, verb + 1) === 'to') return null;
  if (!isFuture && low(tokens, verb) !== 'have' && !isWish) return null;
  return {
    act: 'promise',
    doer: 'speaker',
    verb,
    instead: 'send',
    strength: isFuture ? 0.6 : 0,
    withDate: isFuture ? 0.85 : 0.6,
  };
};

const requests: Finder = (tokens, at) => {
  const word = low(tokens, at);
  const request = (verb: number, strength: number, doer: Doer = 'listener'): Finding | null =>
    isBase(tokens[verb]) ? { act: 'request', doer, verb, strength, withDate: Math.max(strength, 0.85) } : null;
  if (['can', 'could', 'would', 'will'].includes(word) && PEOPLE_TO_ASK.has(low(tokens, at + 1))) {
    const isSomeone = low(tokens, at + 1) !== 'you';
    const skip = low(tokens, at + 2) === 'of' ? 4 : 2;
    const verb = afterAdverbs(tokens, at + skip);
    if (TELLING.has(low(tokens, verb)) && low(tokens, verb) !== 'tell') return null;
    if (
      ABILITIES.has(low(tokens, verb)) ||
      ['like', 'be', 'mind', 'have', 'want', 'think', 'say'].includes(low(tokens, verb))
    )
      return null;
    return request(verb, low(tokens, verb) === 'tell' ? 0.4 : 0.7, isSomeone ? 'someone' : 'listener');
  }
  if (word === 'please' || word === 'kindly') {
    const next = afterAdverbs(tokens, at + 1);
    if (WISHES.has(low(tokens, next)) && !['keep', 'let', 'take', 'go'].includes(low(tokens, next))) return null;
    return isVerb(tokens[next]) || tokens[next]?.pos === 'AUX' ? request(next, 0.75) : null;
  }
  if (word === 'you' || SOMEONE.has(word)) {
    const doer = word === 'you' ? 'listener' : 'someone';
    const next = afterAdverbs(tokens, at + 1);
    if (['need', 'have', 'has', 'needs'].includes(low(tokens, next)) && low(tokens, next + 1) === 'to')
      return request(next + 2, doer === 'someone' ? 0.6 : 0.35, doer);
    if (['must', 'should'].includes(low(tokens, next))) return request(next + 1, doer === 'someone' ? 0.6 : 0.3, doer);
    return null;
  }
  const phrase = `${word} ${low(tokens, at + 1)} ${low(tokens, at + 2)}`;
  if (/^(?:not forget to|do n't forget)/.test(phrase)) return request(at + 3, 0.75);
  if (/^(?:remember to|be sure)\b/.test(phrase)) return request(at + 2, 0.7);
  if (/^make sure (?:you|to|that)/.test(phrase)) return request(at + 3, 0.6);
  if (/^(?:want|need|like) you to/.test(phrase)) return request(at + 3, 0.75);
  return null;
};

const imperatives: Finder = (tokens, at) => {
  const token = tokens[at];
  if (!token || !startsClause(tokens, at) || !isBase(token) || token.pos === 'AUX') return null;
  if (
    WISHES.has(token.low) &&
    !(token.low === 'let' && ['me', 'us'].includes(low(tokens, at + 1)) && low(tokens, at + 2) === 'know')
  )
    return null;
  const isKnown = REQUESTS.has(token.low);
  if (!isKnown && (token.pos !== 'VERB' || STATES.has(token.low))) return null;
  const object = tokens[at + 1];
  if (!object || !hasObject(object) || (NOUNS_TOO.has(token.low) && !hasClearObject(object))) return null;
  if (tokens.slice(at + 1, at + 5).some(({ low: word }) => ['was', 'were', 'is', 'are', 'has', 'had'].includes(word)))
    return null;
  const toMe = ['me', 'us'].includes(object.low);
  const isPolite = tokens.some(({ low: word }) => word === 'please');
  if (/^(?:love|regards|hug|kiss)$/.test(low(tokens, clauseTail(tokens, at)))) return null;
  const isMomentary = MOMENTARY.has(token.low);
  const strength = isMomentary ? 0.2 : isPolite ? 0.75 : toMe ? 0.6 : TRANSFERS.has(token.low) ? 0.5 : 0.2;
  return { act: 'request', doer: 'listener', verb: at, strength, withDate: isKnown || isPolite ? 0.8 : 0.5 };
};

function clauseTail(tokens: Token[], at: number): number {
  let end = at;
  while (end + 1 < tokens.length && tokens[end + 1]?.pos !== 'PUNCT') end += 1;
  return end;
}

const NOUNS_TOO = new Set([
  'invoice',
  'test',
  'order',
  'book',
  'check',
  'text',
  'call',
  'email',
  'mail',
  'quote',
  'file',
  'print',
  'post',
  'finish',
  'copy',
  'review',
  'update',
  'change',
  'ring',
  'phone',
  'message',
  'return',
  'contact',
  'visit',
  'schedule',
  'transfer',
  'deposit',
  'name',
  'return',
  'ship',
  'plan',
  'view',
  'report',
  'need',
  'offer',
  'request',
  'start',
  'show',
  'return',
  'answer',
  'design',
  'work',
  'face',
  'head',
  'set',
  'cut',
  'move',
  'help',
  'use',
  'try',
  'drop',
  'stop',
  'pick',
  'share',
]);

function hasClearObject({ pos, low: word }: Token): boolean {
  return (
    (pos === 'DET' ||
      pos === 'PRON' ||
      pos === 'PROPN' ||
      /^(?:me|us|him|her|them|it|my|your|back|up|out|off|in|over)$/.test(word)) &&
    !['no', 'you', 'i', 'we'].includes(word)
  );
}

/** What may follow a verb in the imperative, and not the noun of the same form. */
function hasObject({ pos, low: word }: Token): boolean {
  if (['is', 'are', 'was', 'will', 'from'].includes(word)) return false;
  return (
    ['DET', 'PROPN', 'NUM'].includes(pos) ||
    /^(?:me|us|him|her|them|it|my|your|this|that|these|those|all|back|up|out|in|to|with|both|new|everyone|everybody|over|off|if|when|for)$/.test(
      word,
    ) ||
    pos === 'NOUN' ||
    pos === 'ADJ'
  );
}

const others: Finder = (tokens, at) => {
  const token = tokens[at];
  if (!token) return null;
  const next = afterAdverbs(tokens, at + 1);
  const isName = token.pos === 'PROPN' && /^\p{Lu}\p{L}+$/u.test(token.text);
  if (!THIRD.has(token.low) && !isName) return null;
  const doer = { name: isName ? token.text : token.low };
  if (low(tokens, next) === 'will' && isBase(tokens[next + 1]))
    return { act: 'promise', doer, verb: next + 1, strength: 0.3, withDate: 0.7 };
  if (low(tokens, next) === 'can' && token.low !== 'they' && isBase(tokens[next + 1]))
    return { act: 'promise', doer, verb: next + 1, strength: 0, withDate: 0.65 };
  if (THIRD.has(token.low) && tokens[next]?.pos === 'VERB' && /s$/.test(low(tokens, next)))
    return { act: 'promise', doer, verb: next, instead: tokens[next]?.lemma ?? '', strength: 0, withDate: 0.65 };
  return null;
};

/** "Shall I send it?", "do you want me to call them?" */
const offers: Finder = (tokens, at) => {
  const [word, next] = [low(tokens, at), low(tokens, at + 1)];
  const offer = (verb: number): Finding | null =>
    isBase(tokens[verb]) ? { act: 'offer', doer: 'speaker', verb, strength: 0.4, withDate: 0.4 } : null;
  if (['shall', 'should'].includes(word) && SPEAKER.has(next)) return offer(afterAdverbs(tokens, at + 2));
  if (word === 'want' && next === 'me' && low(tokens, at + 2) === 'to') return offer(at + 3);
  if (word === 'like' && next === 'me' && low(tokens, at + 2) === 'to') return offer(at + 3);
  return null;
};

const MOVING = /^(?:go|goes|come|comes|coming|follow|follows|ship|ships|arrive|arrives|leave|leaves|start|starts)$/;

/** "The deposit goes out on Monday", "photo coming tonight": what the speaker sees to, if a day is said. */
const moving: Finder = (tokens, at) => {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (!token || !before || !MOVING.test(token.low) || !['NOUN', 'PROPN'].includes(before.pos)) return null;
  const next = low(tokens, at + 1);
  const isOut = /^(?:go|goes)$/.test(token.low) ? ['out', 'up', 'live', 'off'].includes(next) : next !== 'out';
  return isOut ? { act: 'promise', doer: 'speaker', verb: at, strength: 0, withDate: 0.65, isSaid: true } : null;
};

const WEEKDAYS =
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|today|end|eod|next|noon|\d.*)$/;

/** "The guest list by Sunday": a thing and its day, without a verb. */
const delivery: Finder = (tokens, at) => {
  if (at !== 0 || tokens.length > 14) return null;
  const by = tokens.findIndex(
    ({ low: word }, index) => index > 0 && ['by', 'until'].includes(word) && WEEKDAYS.test(low(tokens, index + 1)),
  );
  const things = tokens.slice(0, by);
  const isThing =
    by > 0 &&
    things.every(
      ({ pos, low: word }) =>
        ['NOUN', 'PROPN', 'ADJ', 'DET', 'NUM', 'ADP'].includes(pos) || /^(?:my|the|ok|,|final)$/.test(word),
    );
  if (!isThing || !things.some(({ pos }) => pos === 'NOUN')) return null;
  const first = things.findIndex(({ low: word }) => !/^(?:ok|okay|,)$/.test(word));
  return { act: 'promise', doer: 'speaker', verb: Math.max(first, 0), strength: 0, withDate: 0.55, isSaid: true };
};

/** "Can I pay the rest on Friday?" */
const permissions: Finder = (tokens, at) => {
  if (!['can', 'could', 'may'].includes(low(tokens, at)) || !SPEAKER.has(low(tokens, at + 1))) return null;
  const verb = afterAdverbs(tokens, at + 2);
  if (!isBase(tokens[verb]) || ['have', 'get', 'ask', 'see', 'come', 'help', 'do', 'make'].includes(low(tokens, verb)))
    return null;
  return { act: 'offer', doer: 'speaker', verb, strength: 0.1, withDate: 0.4 };
};

const FINDERS: Finder[] = [
  delivery,
  offers,
  permissions,
  moving,
  requests,
  handOver,
  promises,
  bareFuture,
  others,
  imperatives,
];
