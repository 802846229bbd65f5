import { afterAdverbs, type Finder, type Finding, isBase, isVerb, low, SPEAKER, startsClause } from './finding.ts';
import type { Token } from './tagger.ts';
import { baseOf, MOMENTARY, PERSONAL, STATES, TRANSFERS } from './verbs.ts';

/** Verbs of states and feelings: "I need" and "I hope" promise nothing. */
const FEELINGS = new Set(
  'need want like love hate know think believe miss enjoy guess mean prefer wish understand'.split(' '),
);

const SAYING = new Set(['offer', 'guarantee', 'assure', 'warn', 'recommend', 'suggest', 'propose', 'admit', 'bet']);

export const promises: Finder = (tokens, at) => {
  if (!SPEAKER.has(low(tokens, at)) || tokens.some(({ low: word }) => word === 'myself')) return null;
  const next = afterAdverbs(tokens, at + 1);
  const promise = (verb: number, strength: number, withDate: number): Finding | null => {
    if (!isBase(tokens[verb])) return null;
    if (low(tokens, verb) === 'be' && tokens[verb + 1]?.pos === 'NUM') return null;
    // "I can offer you 5 percent" is done by saying it.
    if (SAYING.has(low(tokens, verb))) return null;
    const isMomentary = MOMENTARY.has(low(tokens, verb));
    return {
      act: 'promise',
      doer: 'speaker',
      verb,
      strength: isMomentary ? Math.min(strength, 0.3) : strength,
      withDate,
    };
  };
  if (/^(?:hope|wish|whether|think|unless|if|or|otherwise)$/.test(low(tokens, at - 1))) return null;
  // "You promised that we will visit the mill" repeats what the listener said.
  if (
    tokens
      .slice(0, at)
      .some(
        ({ low: before }, index) => /^(?:promised|said|told|claimed)$/.test(before) && low(tokens, index - 1) === 'you',
      )
  )
    return null;
  const word = low(tokens, next);
  const then = afterAdverbs(tokens, next + 1);
  if (tokens.slice(Math.max(0, at - 4), at).some(({ low: before }) => /^(?:which|whether|who|whose)$/.test(before)))
    return null;
  if (word === 'will' || word === 'shall') {
    if (FEELINGS.has(low(tokens, then))) return null;
    if (low(tokens, then) === 'have' && low(tokens, then + 1) === 'to') return promise(then + 2, 0.6, 0.8);
    return promise(then, low(tokens, then) === 'be' ? 0.3 : 0.8, 0.9);
  }
  if (word === 'am' || word === 'are') {
    // "I'm to fetch them on Monday"
    if (low(tokens, then) === 'to' && isBase(tokens[then + 1])) return promise(then + 1, 0.6, 0.8);
    return intended(tokens, then) ?? continuous(tokens, then);
  }
  if (word === 'can' || word === 'could') return promise(then, 0.25, word === 'can' ? 0.6 : 0.4);
  if (word === 'must' || word === 'should') return promise(then, 0.35, 0.7);
  if (['have', 'need', 'promise', 'plan', 'intend'].includes(word) && low(tokens, next + 1) === 'to') {
    const verb = afterAdverbs(tokens, next + 2);
    return promise(verb, word === 'promise' ? 0.8 : 0.45, 0.75);
  }
  if (word === 'owe' && low(tokens, next + 1) === 'you' && !DEBTS_OF_HONOR.test(textOf(tokens, next)))
    return { act: 'promise', doer: 'speaker', verb: next + 1, instead: 'send', strength: 0.6, withDate: 0.8 };
  if (
    ['need', 'require', 'want', 'expect', 'demand'].includes(word) &&
    /^(?:DET|NUM)$/.test(tokens[next + 1]?.pos ?? '')
  )
    return { act: 'need', doer: 'listener', verb: next, strength: 0.1, withDate: 0.8, isVerbless: true };
  if (['need', 'require', 'would', 'want'].includes(word)) return null;
  const token = tokens[next];
  // "I drive past yours on Friday anyway"
  const isAnyway = tokens.slice(next, next + 8).some(({ low: word }) => word === 'anyway');
  // "I just put the refund through": done.
  const isJustDone = low(tokens, at + 1) === 'just' && /^(?:put|cut|set|let|read|hit|shut)$/.test(low(tokens, next));
  if (isInverted(tokens, at) || isAnyway || isJustDone) return null;
  // "I look good" is a state, "I look for it" a deed.
  if (word === 'look' && ['for', 'into', 'at', 'after', 'up', 'through'].includes(low(tokens, next + 1)))
    return promise(next, 0.15, 0.75);
  if (word === 'do' && ['it', 'that', 'this'].includes(low(tokens, next + 1))) return promise(next, 0.15, 0.75);
  if (token && isVerb(token) && isBase(token) && !STATES.has(token.lemma)) return promise(next, 0.15, 0.75);
  return null;
};

const DEBTS_OF_HONOR = /(?:apology|beer|coffee|drink|lunch|dinner|one|favou?r|thanks|big time)\b/;

const textOf = (tokens: Token[], from: number) =>
  tokens
    .slice(from)
    .map(({ low: word }) => word)
    .join(' ');

/** "Going to send it", "planning to send it". */
function intended(tokens: Token[], at: number): Finding | null {
  if (!/^(?:going|planning|aiming)$/.test(low(tokens, at)) || low(tokens, at + 1) !== 'to') return null;
  const first = afterAdverbs(tokens, at + 2);
  const verb = low(tokens, first) === 'have' && low(tokens, first + 1) === 'to' ? first + 2 : first;
  if (!isBase(tokens[verb]) || FEELINGS.has(low(tokens, verb))) return null;
  const isSure = low(tokens, at) === 'going' && !MOMENTARY.has(low(tokens, verb));
  return { act: 'promise', doer: 'speaker', verb, strength: isSure ? 0.75 : 0.3, withDate: isSure ? 0.85 : 0.75 };
}

/** Asked, not promised: "do we keep", "how many did we lose". */
function isInverted(tokens: Token[], at: number): boolean {
  return ['do', 'did', 'does', 'can', 'could', 'should', 'shall', 'may', 'when', 'if', 'where', 'what', 'how'].includes(
    low(tokens, at - 1),
  );
}

/** Say nothing that is to be done, or are no verbs at all. */
const NO_DEEDS = new Set(
  'going looking talking doing being trying asking morning evening meeting landing building travelling traveling something anything nothing working coming reading during'.split(
    ' ',
  ),
);

/** "I'm sending it tonight", "forwarding it on Monday" */
function continuous(tokens: Token[], at: number): Finding | null {
  const token = tokens[at];
  if (!token?.low.endsWith('ing') || !['VERB', 'NOUN', 'ADJ'].includes(token.pos)) return null;
  if (STATES.has(token.lemma) || NO_DEEDS.has(token.low)) return null;
  const instead = baseOf(token);
  return {
    act: 'promise',
    doer: 'speaker',
    verb: at,
    instead,
    strength: 0.2,
    withDate: PERSONAL.has(instead) ? 0.3 : 0.75,
  };
}

export const bareFuture: Finder = (tokens, at) => {
  if (low(tokens, at) === 'will' && startsClause(tokens, at)) {
    const next = afterAdverbs(tokens, at + 1);
    if (isBase(tokens[next])) return { act: 'promise', doer: 'speaker', verb: next, strength: 0.75, withDate: 0.9 };
  }
  if (at === 0 && intended(tokens, at)) return intended(tokens, at);
  // "Still owe you the draft"
  if (low(tokens, at) === 'owe' && low(tokens, at + 1) === 'you' && at <= 1 && !DEBTS_OF_HONOR.test(textOf(tokens, at)))
    return { act: 'promise', doer: 'speaker', verb: at + 1, instead: 'send', strength: 0.6, withDate: 0.8 };
  const isGlad = /^(?:happy|glad)$/.test(low(tokens, at)) && low(tokens, at + 1) === 'to' && at === 0;
  if (isGlad && isBase(tokens[at + 2]) && !/^(?:hear|see|know|be|help|meet)$/.test(low(tokens, at + 2)))
    return { act: 'promise', doer: 'speaker', verb: at + 2, strength: 0.2, withDate: 0.6 };
  if (at === 0 && continuous(tokens, at)) return continuous(tokens, at);
  const isLet = low(tokens, at) === 'let' && low(tokens, at + 1) === 'me' && isBase(tokens[at + 2]);
  if (isLet && !['know', 'see', 'have', 'get'].includes(low(tokens, at + 2)))
    return { act: 'promise', doer: 'speaker', verb: at + 2, strength: 0.35, withDate: 0.6 };
  return null;
};

/** "You'll have it by noon": the speaker is to hand it over. */
export const handOver: Finder = (tokens, at) => {
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
  if (!isFuture && low(tokens, verb) === 'receive' && !isWish) return null;
  return {
    act: 'promise',
    doer: 'speaker',
    verb,
    instead: 'send',
    strength: isFuture ? 0.6 : 0,
    withDate: isFuture ? 0.85 : 0.6,
  };
};

const THIRD = new Set(['he', 'she', 'they']);

export const others: Finder = (tokens, at) => {
  const token = tokens[at];
  if (!token) return null;
  const isName = token.pos === 'PROPN' && /^\p{Lu}\p{L}+$/u.test(token.text);
  if (!THIRD.has(token.low) && !isName) return null;
  const next = afterAdverbs(tokens, at + 1);
  const doer = { name: isName ? token.text : token.low };
  if (low(tokens, next) === 'will' && isBase(tokens[next + 1]))
    return { act: 'promise', doer, verb: next + 1, strength: 0.3, withDate: 0.7 };
  if (low(tokens, next) === 'can' && token.low !== 'they' && isBase(tokens[next + 1]))
    return { act: 'promise', doer, verb: next + 1, strength: 0, withDate: 0.65 };
  const verb = tokens[next]?.lemma ?? '';
  // "She flies to Lagos on Wednesday" is no one's task.
  const isDoing =
    TRANSFERS.has(verb) || (THIRD.has(token.low) && /^(?:come|pick|do|collect|arrive|take|start|finish)$/.test(verb));
  if (isDoing && tokens[next]?.pos === 'VERB' && /s$/.test(low(tokens, next)))
    return { act: 'promise', doer, verb: next, instead: tokens[next]?.lemma ?? '', strength: 0, withDate: 0.65 };
  return null;
};
