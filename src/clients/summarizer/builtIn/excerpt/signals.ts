import type { Conversation } from '../../conversation.ts';
import { type Commitment, firstOf } from '../commitments.ts';
import { isStillOpen } from '../isStillOpen.ts';
import type { Turn } from '../reading.ts';
import { isAbout } from '../stems.ts';
import type { Reading } from '../types.ts';
import { FIGURE } from './figures.ts';

/** What speaks for or against showing a message, each about 0 to 1. They hold in every language that is read. */
export type Signals = Record<(typeof SIGNALS)[number], number>;

const OWN = [
  'length',
  'isShort',
  'stems',
  'asks',
  'figure',
  'day',
  'hour',
  'file',
  'smallTalk',
  'accepts',
  'refuses',
  'done',
  'joke',
  'promises',
  'requests',
  'opensCommitment',
  'isOpen',
  'settles',
  'needs',
  'problem',
  'decides',
] as const;
const AROUND = [
  'isSameBefore',
  'isSameAfter',
  'pauseBefore',
  'isAboutBefore',
  'isLast',
  'share',
  'longer',
  'recurs',
  'acceptsNext',
] as const;
const OF_BEFORE = ['asks', 'figure', 'smallTalk', 'accepts', 'requests'] as const;
const OF_AFTER = ['smallTalk', 'accepts', 'refuses', 'promises'] as const;

export const SIGNALS = [
  ...OWN,
  ...AROUND,
  ...OF_BEFORE.map(name => `before.${name}` as const),
  ...OF_AFTER.map(name => `after.${name}` as const),
] as const;

type Own = Record<(typeof OWN)[number], number>;

/** The signals of each turn, in their order. */
export function readSignals(turns: Turn[], commitments: Commitment[], conversation: Conversation): Signals[] {
  const roles = rolesOf(
    commitments,
    commitments.filter(commitment => isStillOpen(commitment, commitments, turns, conversation)),
  );
  const own = turns.map(turn => ownSignals(turn, roles));
  const stems = turns.map(({ readings }) => new Set(readings.flatMap(({ sentence }) => sentence.stems)));
  const turnsWith = new Map<string, number>();
  for (const stem of stems.flatMap(some => [...some])) turnsWith.set(stem, (turnsWith.get(stem) ?? 0) + 1);
  const meanLength = own.reduce((sum, { length }) => sum + length, 0) / own.length;
  return own.map((signals, at) => ({
    ...signals,
    ...around(turns, at),
    isAboutBefore: isAboutAny(stems, at),
    share: at / Math.max(1, turns.length - 1),
    longer: signals.length - meanLength,
    recurs: Math.max(0, ...[...(stems[at] ?? [])].map(stem => (turnsWith.get(stem) ?? 0) - 1)) / OFTEN,
    acceptsNext: own.slice(at + 2, at + 4).some(({ accepts }) => accepts > 0) ? 1 : 0,
    ...prefixed('before', OF_BEFORE, own[at - 1]),
    ...prefixed('after', OF_AFTER, own[at + 1]),
  }));
}

/** In so many other messages, a word stands for what the whole talk is about. */
const OFTEN = 4;

type Roles = { opens: Set<string>; isOpen: Set<string>; settles: Set<string> };

function rolesOf(commitments: Commitment[], open: Commitment[]): Roles {
  const idOf = (reading: Reading | null | undefined) => reading?.sentence.utterance.messageId ?? '';
  return {
    opens: new Set(commitments.map(({ readings }) => idOf(readings[0]))),
    isOpen: new Set(open.flatMap(({ readings }) => readings.map(idOf))),
    settles: new Set(commitments.map(({ outcome }) => idOf(outcome))),
  };
}

/** Letters above which a message counts as fully worded. */
const FULL = 64;

function ownSignals({ utterance, readings, lexicon }: Turn, { opens, isOpen, settles }: Roles): Own {
  const has = (test: (reading: Reading) => boolean) => (readings.some(test) ? 1 : 0);
  const cue = (...names: ('needs' | 'urgent' | 'negative' | 'outage' | 'decides')[]) =>
    has(({ folded }) => names.some(name => lexicon.acts[name].test(folded)));
  const strength = (...acts: string[]) =>
    Math.max(0, ...readings.flatMap(({ moves }) => moves.map(move => (acts.includes(move.act) ? move.strength : 0))));
  const letters = lettersOf(readings);
  const [first] = readings;
  const { media, messageId } = utterance;
  return {
    length: Math.log2(1 + letters) / Math.log2(FULL),
    isShort: letters < 12 ? 1 : 0,
    asks: has(({ sentence }) => sentence.isQuestion),
    figure: has(({ sentence }) => FIGURE.test(sentence.text)),
    day: has(({ when }) => when !== null && !when.isHour),
    hour: has(({ when }) => when?.time != null),
    file: media === 'document' ? 1 : 0,
    smallTalk: media === null && readings.every(({ isSmallTalk }) => isSmallTalk) ? 1 : 0,
    accepts: first && firstOf(first) === 'accepts' ? 1 : 0,
    refuses: has(({ refuses }) => refuses),
    done: has(({ isDone }) => isDone),
    joke: has(({ isJoke }) => isJoke),
    promises: strength('promise'),
    requests: strength('request', 'proposal', 'offer'),
    opensCommitment: opens.has(messageId) ? 1 : 0,
    isOpen: isOpen.has(messageId) ? 1 : 0,
    settles: settles.has(messageId) ? 1 : 0,
    needs: cue('needs', 'urgent'),
    problem: cue('negative', 'outage'),
    decides: cue('decides'),
    stems: Math.min(1, readings.reduce((sum, { sentence }) => sum + sentence.stems.length, 0) / 12),
  };
}

/** Letters of a message; a Chinese or Japanese character says as much as two or three others. */
function lettersOf(readings: Reading[]): number {
  return readings.reduce((sum, { sentence }) => {
    const dense = sentence.text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
    return sum + sentence.text.length + 1.5 * dense;
  }, 0);
}

/** As far as people remember what was just said. */
const NEAR = 3;

function around(turns: Turn[], at: number) {
  const here = turns[at] as Turn;
  const [before, after] = [turns[at - 1], turns[at + 1]];
  const isSame = (other: Turn | undefined) => (other?.utterance.speaker === here.utterance.speaker ? 1 : 0);
  return {
    isSameBefore: isSame(before),
    isSameAfter: isSame(after),
    pauseBefore: before ? pause(before, here) : 1,
    isLast: at >= turns.length - 2 ? 1 : 0,
  };
}

/** From 0 for none to 1 for four hours and more. */
function pause(one: Turn, other: Turn): number {
  const minutes = (other.utterance.sentAt.getTime() - one.utterance.sentAt.getTime()) / 60_000;
  return Math.min(1, Math.log2(1 + Math.max(0, minutes)) / 8);
}

function isAboutAny(stems: ReadonlySet<string>[], at: number): number {
  const said = [...(stems[at] ?? [])];
  return stems.slice(Math.max(0, at - NEAR), at).some(before => isAbout(before, said)) ? 1 : 0;
}

function prefixed<P extends 'before' | 'after', Name extends keyof Own>(
  prefix: P,
  names: readonly Name[],
  own: Own | undefined,
) {
  return Object.fromEntries(names.map(name => [`${prefix}.${name}`, own?.[name] ?? 0])) as Record<
    `${P}.${Name}`,
    number
  >;
}
