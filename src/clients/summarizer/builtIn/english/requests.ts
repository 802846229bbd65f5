import type { Doer } from '../types.ts';
import { afterAdverbs, type Finder, type Finding, isBase, isVerb, low, startsClause } from './finding.ts';
import type { Token } from './tagger.ts';
import { ABILITIES, MOMENTARY, REQUESTS, STATES, TELLING, TRANSFERS, WISHES } from './verbs.ts';

const PEOPLE_TO_ASK = new Set(['you', 'u', 'someone', 'somebody', 'anyone', 'anybody', 'one']);

const PLACES = new Set(['there', 'here', 'home', 'in', 'around', 'available', 'present']);

/** "Please note", "please find attached": something to read, not to do. */
const NOTICES = new Set(['note', 'find', 'see', 'be', 'accept', 'understand', 'advise', 'excuse', 'bear']);

function asking(tokens: Token[], verb: number, strength: number, doer: Doer): Finding | null {
  return isBase(tokens[verb]) ? { act: 'request', doer, verb, strength, withDate: Math.max(strength, 0.85) } : null;
}

/** "Can you …", "will somebody …" */
function abilityAsked(tokens: Token[], at: number): Finding | null {
  const isSomeone = low(tokens, at + 1) !== 'you';
  const skip = low(tokens, at + 2) === 'of' ? 4 : 2;
  const verb = afterAdverbs(tokens, at + skip);
  if (TELLING.has(low(tokens, verb)) && low(tokens, verb) !== 'tell') return null;
  // "Will somebody be there to let him in?"
  if (low(tokens, verb) === 'be' && PLACES.has(low(tokens, verb + 1)))
    return asking(tokens, verb, 0.5, isSomeone ? 'someone' : 'listener');
  if (
    ABILITIES.has(low(tokens, verb)) ||
    ['like', 'be', 'mind', 'have', 'want', 'think', 'say'].includes(low(tokens, verb))
  )
    return null;
  return asking(tokens, verb, low(tokens, verb) === 'tell' ? 0.4 : 0.7, isSomeone ? 'someone' : 'listener');
}

/** The first words of the phrases of a request without a subject. */
const OPENS_PHRASE = new Set(['not', 'do', 'remember', 'be', 'make', 'want', 'need', 'like']);

export const requests: Finder = (tokens, at) => {
  const word = low(tokens, at);
  const request = (verb: number, strength: number, doer: Doer = 'listener') => asking(tokens, verb, strength, doer);
  if (['can', 'could', 'would', 'will'].includes(word) && PEOPLE_TO_ASK.has(low(tokens, at + 1)))
    return abilityAsked(tokens, at);
  if (word === 'please' || word === 'kindly') {
    const next = afterAdverbs(tokens, at + 1);
    if (NOTICES.has(low(tokens, next))) return null;
    // "Please do" is a yes.
    if (low(tokens, next) === 'do' && (tokens[next + 1]?.pos ?? 'PUNCT') === 'PUNCT') return null;
    if (at > 2 && ['by', 'until', 'before'].includes(low(tokens, next)))
      return { act: 'request', doer: 'listener', verb: next, strength: 0.3, withDate: 0.85, isVerbless: true };
    if (WISHES.has(low(tokens, next)) && !['keep', 'let', 'take', 'go'].includes(low(tokens, next))) return null;
    // "Please keep taking it": nothing new.
    if (/^(?:keep|continue)$/.test(low(tokens, next)) && low(tokens, next + 1).endsWith('ing')) return null;
    return isVerb(tokens[next]) || tokens[next]?.pos === 'AUX' ? request(next, 0.75) : null;
  }
  // "Have him leave it here on Sunday"
  if (
    word === 'have' &&
    startsClause(tokens, at) &&
    /^(?:him|her|them)$/.test(low(tokens, at + 1)) &&
    isBase(tokens[at + 2])
  )
    return { act: 'request', doer: 'listener', verb: at, strength: 0.5, withDate: 0.85 };
  if (!OPENS_PHRASE.has(word)) return null;
  const phrase = `${word} ${low(tokens, at + 1)} ${low(tokens, at + 2)}`;
  if (/^(?:not forget to|do n't forget)/.test(phrase)) return request(at + 3, 0.75);
  // "Don't forget the lease"
  if (/^not forget (?:the|your|my|our|about)$/.test(phrase))
    return { act: 'request', doer: 'listener', verb: at + 1, strength: 0.6, withDate: 0.85, isVerbless: true };
  if (/^(?:remember to|be sure)\b/.test(phrase)) return request(at + 2, 0.7);
  if (/^make sure (?:you|to|that)/.test(phrase)) return request(at + 3, 0.6);
  if (
    /^(?:want|need|like) you to/.test(phrase) &&
    !/^(?:know|understand|be|think|feel|see|realize|realise)$/.test(low(tokens, at + 3))
  )
    return request(at + 3, 0.75);
  return null;
};

export const imperatives: Finder = (tokens, at) => {
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
  const isPolite = tokens.some(({ low: word }) => word === 'please');
  if (token.low === 'ask' && object?.low === 'for' && !isPolite) return null;
  if (!object || !hasObject(object)) return null;
  if (tokens.slice(at + 1, at + 5).some(({ low: word }) => ['was', 'were', 'is', 'are', 'has', 'had'].includes(word)))
    return null;
  const toMe = ['me', 'us'].includes(object.low);
  // "You can log in, choose and order the goods" explains.
  if (
    tokens
      .slice(0, at)
      .some(({ low: word }, index) => word === 'you' && /^(?:can|could|may|just|will)$/.test(low(tokens, index + 1)))
  )
    return null;
  if (/^(?:love|regards|hug|kiss)$/.test(low(tokens, clauseTail(tokens, at)))) return null;
  const isMomentary = MOMENTARY.has(token.low);
  const strength = isMomentary ? 0.15 : isPolite ? 0.75 : toMe ? 0.6 : TRANSFERS.has(token.low) ? 0.5 : 0.15;
  return { act: 'request', doer: 'listener', verb: at, strength, withDate: isKnown || isPolite ? 0.8 : 0.5 };
};

function clauseTail(tokens: Token[], at: number): number {
  let end = at;
  while (end + 1 < tokens.length && tokens[end + 1]?.pos !== 'PUNCT') end += 1;
  return end;
}

/** Whether the token may follow a verb in the imperative, but not a noun of the same form. */
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
