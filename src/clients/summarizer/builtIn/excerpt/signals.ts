import { FIGURE } from '../choosing.ts';
import type { OpenTask } from '../items.ts';
import type { Turn } from '../reading.ts';
import { isAbout } from '../stems.ts';
import { firstOf, type Task } from '../tasks.ts';
import type { Reading } from '../types.ts';

/** What speaks for or against showing a message, each about 0 to 1. They hold in every language that is read. */
export type Signals = Record<(typeof SIGNALS)[number], number>;

const OWN = [
  'length',
  'isShort',
  'asks',
  'figure',
  'day',
  'hour',
  'file',
  'picture',
  'smallTalk',
  'accepts',
  'refuses',
  'done',
  'conditional',
  'joke',
  'moment',
  'promises',
  'requests',
  'opensTask',
  'isOpen',
  'settles',
  'needs',
  'trouble',
  'decides',
  'money',
  'asksBriefly',
  'stems',
] as const;
const AROUND = [
  'isSameBefore',
  'isSameAfter',
  'pauseBefore',
  'pauseAfter',
  'isAboutBefore',
  'isAboutAfter',
  'isFirst',
  'isLast',
  'fromUser',
  'repliedTo',
  'replies',
  'share',
  'longer',
  'recurs',
  'asksNext',
  'acceptsNext',
] as const;
const OF_NEIGHBOUR = ['length', 'asks', 'figure', 'day', 'smallTalk', 'accepts', 'refuses', 'opensTask', 'file', 'done', 'promises', 'requests'] as const;

const BEFORE = OF_NEIGHBOUR.map(name => `before.${name}` as const);
const AFTER = OF_NEIGHBOUR.map(name => `after.${name}` as const);
export const SIGNALS = [...OWN, ...AROUND, ...BEFORE, ...AFTER] as const;

type Own = Record<(typeof OWN)[number], number>;

/** The signals of each turn, in their order. */
export function readSignals(turns: Turn[], tasks: Task[], open: OpenTask[]): Signals[] {
  const known = rolesOf(tasks, open);
  const own = turns.map(turn => ownSignals(turn, known));
  const repliedTo = new Set(turns.map(({ utterance }) => utterance.replyTo));
  return turns.map((turn, at) => ({
    ...(own[at] as Own),
    ...around(turns, at, repliedTo),
    share: at / Math.max(1, turns.length - 1),
    longer: (own[at] as Own).length - own.reduce((sum, { length }) => sum + length, 0) / own.length,
    asksNext: own.slice(at + 2, at + 4).some(({ asks }) => asks > 0) ? 1 : 0,
    acceptsNext: own.slice(at + 2, at + 4).some(({ accepts }) => accepts > 0) ? 1 : 0,
    ...prefixed('before', own[at - 1]),
    ...prefixed('after', own[at + 1]),
  }));
}

type Roles = { opens: Set<string>; isOpen: Set<string>; settles: Set<string> };

function rolesOf(tasks: Task[], open: OpenTask[]): Roles {
  const idOf = (reading: Reading | null | undefined) => reading?.sentence.utterance.messageId ?? '';
  return {
    opens: new Set(tasks.map(({ readings }) => idOf(readings[0]))),
    isOpen: new Set(open.flatMap(({ task }) => task.readings.map(idOf))),
    settles: new Set(tasks.map(({ outcome }) => idOf(outcome))),
  };
}

/** Letters above which a message counts as fully worded. */
const FULL = 64;

function ownSignals({ utterance, readings, lexicon }: Turn, { opens, isOpen, settles }: Roles): Own {
  const has = (test: (reading: Reading) => boolean) => (readings.some(test) ? 1 : 0);
  const cue = (...names: ('needs' | 'urgent' | 'negative' | 'outage' | 'threat' | 'decides')[]) =>
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
    picture: media !== null && media !== 'document' ? 1 : 0,
    smallTalk: media === null && readings.every(({ isSmallTalk }) => isSmallTalk) ? 1 : 0,
    accepts: first && firstOf(first) === 'accepts' ? 1 : 0,
    refuses: has(({ refuses }) => refuses),
    done: has(({ isDone }) => isDone),
    conditional: has(({ isConditional }) => isConditional),
    joke: has(({ isJoke }) => isJoke),
    moment: has(({ isMoment }) => isMoment),
    promises: strength('promise'),
    requests: strength('request', 'need', 'proposal', 'offer'),
    opensTask: opens.has(messageId) ? 1 : 0,
    isOpen: isOpen.has(messageId) ? 1 : 0,
    settles: settles.has(messageId) ? 1 : 0,
    needs: cue('needs', 'urgent'),
    trouble: cue('negative', 'outage', 'threat'),
    decides: cue('decides'),
    money: has(({ sentence }) => /[£€$₽₴₺%]|\d[.,]\d/u.test(sentence.text)),
    asksBriefly: letters < 25 && readings.some(({ sentence }) => sentence.isQuestion) ? 1 : 0,
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

function around(turns: Turn[], at: number, repliedTo: ReadonlySet<string | null>) {
  const here = turns[at] as Turn;
  const [before, after] = [turns[at - 1], turns[at + 1]];
  const isSame = (other: Turn | undefined) => (other?.utterance.speaker === here.utterance.speaker ? 1 : 0);
  return {
    isSameBefore: isSame(before),
    isSameAfter: isSame(after),
    pauseBefore: before ? pause(before, here) : 1,
    pauseAfter: after ? pause(here, after) : 1,
    isAboutBefore: isAboutAny(here, turns.slice(Math.max(0, at - NEAR), at)),
    isAboutAfter: isAboutAny(here, turns.slice(at + 1, at + 1 + NEAR)),
    isFirst: at === 0 ? 1 : 0,
    isLast: at >= turns.length - 2 ? 1 : 0,
    fromUser: here.utterance.fromUser ? 1 : 0,
    repliedTo: repliedTo.has(here.utterance.messageId) ? 1 : 0,
    replies: here.utterance.replyTo === null ? 0 : 1,
    recurs: recurring(here, turns),
  };
}

/** From 0 for none to 1 for four hours and more. */
function pause(one: Turn, other: Turn): number {
  const minutes = (other.utterance.sentAt.getTime() - one.utterance.sentAt.getTime()) / 60_000;
  return Math.min(1, Math.log2(1 + Math.max(0, minutes)) / 8);
}

function recurring(here: Turn, turns: Turn[]): number {
  const said = here.readings.flatMap(({ sentence }) => sentence.stems);
  const others = turns.filter(
    turn => turn !== here && turn.readings.some(({ sentence }) => sentence.stems.some(stem => said.includes(stem))),
  );
  return Math.min(1, others.length / 6);
}

function isAboutAny(here: Turn, others: Turn[]): number {
  const said = here.readings.flatMap(({ sentence }) => sentence.stems);
  return others.some(({ readings }) => readings.some(({ sentence }) => isAbout(new Set(sentence.stems), said))) ? 1 : 0;
}

function prefixed<P extends 'before' | 'after'>(prefix: P, own: Own | undefined) {
  return Object.fromEntries(OF_NEIGHBOUR.map(name => [`${prefix}.${name}`, own?.[name] ?? 0])) as Record<
    `${P}.${(typeof OF_NEIGHBOUR)[number]}`,
    number
  >;
}
