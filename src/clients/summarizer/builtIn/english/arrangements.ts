import { afterAdverbs, type Finder, type Finding, isBase, low, SPEAKER } from './finding.ts';

/** "Which crane should we rent?" is a question, not an offer. */
const WH_WORD = /^(?:what|which|who|whom|whose|where|when|why|how)$/;

/** "Shall I send it?", "do you want me to call them?" */
export const offers: Finder = (tokens, at) => {
  const [word, next] = [low(tokens, at), low(tokens, at + 1)];
  if (!['shall', 'should', 'want', 'like'].includes(word) || WH_WORD.test(low(tokens, 0))) return null;
  const offer = (verb: number): Finding | null =>
    isBase(tokens[verb]) ? { act: 'offer', doer: 'speaker', verb, strength: 0.4, withDate: 0.4 } : null;
  if (['shall', 'should'].includes(word) && SPEAKER.has(next)) return offer(afterAdverbs(tokens, at + 2));
  if (word === 'want' && next === 'me' && low(tokens, at + 2) === 'to') return offer(at + 3);
  if (word === 'like' && next === 'me' && low(tokens, at + 2) === 'to') return offer(at + 3);
  return null;
};

const GOING_OUT = /^(?:go|goes|come|comes|coming|follow|follows|ship|ships)$/;
const TRAVELLING = new Map([
  ['arrives', 'arrive'],
  ['leaves', 'leave'],
  ['leaving', 'leave'],
  ['drives', 'drive'],
  ['flies', 'fly'],
]);

/** Words that the tagger mistakes for names where they open a sentence. */
const DELIVERED =
  /^(?:bio|photo|logo|invoice|offer|order|letter|paper|poster|banner|folder|flyer|brochure|contract|draft|file|deck|report|quote|link|list|agenda|proposal|summary|screenshot|recording|video)$/;
/** "The plumber comes on Friday": no one sends him. */
const PERSON = /(?:er|or|ist|ian|man|men|woman|women|people|team|crew|guy|guys)s?$/;

/**
 * "The deposit goes out on Monday", "photo coming tonight": for the speaker to see to, if a day is named. "Tim leaves
 * on Friday" is what Tim does.
 */
export const moving: Finder = (tokens, at) => {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (!token || !before) return null;
  const next = low(tokens, at + 1);
  const travel = TRAVELLING.get(token.low);
  if (before.pos === 'PROPN' && travel)
    return {
      act: 'promise',
      doer: { name: before.text },
      verb: at,
      instead: travel,
      strength: 0,
      withDate: 0.65,
      isSaid: true,
    };
  if (!GOING_OUT.test(token.low) || !['NOUN', 'PROPN'].includes(before.pos)) return null;
  // After a request, it is the reason for it.
  const semicolon = tokens.slice(0, at).findIndex(({ low: word }) => word === ';');
  if (tokens.slice(0, Math.max(0, semicolon)).some(({ low: word }) => /^(?:by|until|before|please)$/.test(word)))
    return null;
  const isOut = /^(?:go|goes)$/.test(token.low)
    ? ['out', 'up', 'live', 'off', 'through'].includes(next)
    : !['out', 'up', 'from', 'with', 'in'].includes(next);
  if (!isOut) return null;
  // "Photo comes tonight" is for the speaker to send.
  const isThing = DELIVERED.test(before.low) || (before.pos === 'NOUN' && !PERSON.test(before.low));
  // "The tiles come on Monday": someone else brings them.
  const isBrought = isThing && !DELIVERED.test(before.low) && tokens[at - 2]?.pos === 'DET';
  if (isBrought && /^comes?$/.test(token.low)) return null;
  const instead = isThing && /^(?:come|follow)/.test(token.low) ? 'send' : undefined;
  return {
    act: 'promise',
    doer: 'speaker',
    verb: at,
    ...(instead && { instead }),
    strength: 0,
    withDate: 0.65,
    isSaid: true,
  };
};

const WEEKDAYS =
  /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|today|end|eod|next|noon|\d.*)$/;

/** "The guest list by Sunday": a thing and its day, without a verb. */
export const delivery: Finder = (tokens, at) => {
  // "Photo comes tonight, slides by Friday"
  const isSecond =
    low(tokens, at - 1) === ',' && tokens.slice(0, at).some(({ low: word }) => /^(?:come|follow)/.test(word));
  if ((at > 0 && !isSecond) || tokens.length - at > 14) return null;
  const by = tokens.findIndex(
    ({ low: word }, index) => index > at && ['by', 'until'].includes(word) && WEEKDAYS.test(low(tokens, index + 1)),
  );
  const things = tokens.slice(at, by);
  const isThing =
    by > at &&
    things.every(
      ({ pos, low: word }) =>
        ['NOUN', 'PROPN', 'ADJ', 'DET', 'NUM', 'ADP'].includes(pos) || /^(?:my|the|ok|,|final)$/.test(word),
    );
  if (!isThing || !things.some(({ pos }) => pos === 'NOUN')) return null;
  const first = things.findIndex(({ low: word }) => !/^(?:ok|okay|,)$/.test(word));
  return { act: 'promise', doer: 'speaker', verb: at + Math.max(first, 0), strength: 0, withDate: 0.55, isSaid: true };
};
