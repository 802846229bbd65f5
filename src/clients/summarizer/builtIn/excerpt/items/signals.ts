import type { Conversation } from '../../../conversation.ts';
import { firstOf } from '../../commitments.ts';
import { hasSay } from '../../outsiders.ts';
import type { Turn } from '../../reading.ts';
import { isAbout } from '../../stems.ts';
import type { Reading } from '../../types.ts';
import type { When } from '../../when.ts';
import { FIGURE } from '../figures.ts';
import type { Candidate } from './candidates.ts';

const OF_COMMITMENT = [
  'open',
  'done',
  'dropped',
  'accepted',
  'strength',
  'proposal',
  'known',
  'speaker',
  'mine',
  'third',
  'group',
  'repeats',
] as const;
const OF_WORDS = [
  'figure',
  'counter',
  'day',
  'today',
  'length',
  'conditional',
  'accepts',
  'needs',
  'promises',
  'someone',
  'fromUser',
  'moreBehind',
  'smiles',
  'negates',
  'pleased',
  'quotes',
] as const;
const OF_PLACE = ['share', 'isLast', 'dayShare', 'pauseAfter', 'goesOn', 'turnsAfter', 'endsDay'] as const;
const AFTER = [
  'doerAfter',
  'noneAfter',
  'askerAfter',
  'aboutAfter',
  'fileAfter',
  'acceptedNext',
  'thanksNext',
  'promisesNext',
  'replied',
  'repliedAtOnce',
  'asksOn',
  'sameDay',
  'laterDay',
  'otherDay',
  'dayNext',
  'figureNext',
  'refusedNext',
  'asksNext',
] as const;
/** Of the day that would be named. */
const OF_DAY = ['severalDays', 'dayOwn', 'dayAsked', 'dayInDigits', 'dayAgreed', 'hour'] as const;

export const ITEM_SIGNALS = [...OF_COMMITMENT, ...OF_WORDS, ...OF_PLACE, ...AFTER, ...OF_DAY] as const;

/** What speaks for or against it that something is left to do, each about 0 to 1. They hold in every language that is read. */
export type ItemSignals = Record<(typeof ITEM_SIGNALS)[number], number>;
type Of<Names extends readonly string[]> = Record<Names[number], number>;

/** What was read, with all that may be left to do. */
export type Weighed = { turns: Turn[]; all: Candidate[]; conversation: Conversation };

export function itemSignals(one: Candidate, read: Weighed): ItemSignals {
  const here = read.turns[one.at] as Turn;
  const { day } = here.utterance;
  const isHeard = ({ utterance: { speaker, fromUser } }: Turn) =>
    !read.conversation.isGroup || hasSay(one.commitment, { name: speaker, isUser: fromUser }, read.conversation);
  const later = read.turns.slice(one.at + 1).filter(turn => turn.utterance.day === day && isHeard(turn));
  return {
    ...ofCommitment(one, read.conversation),
    ...ofWords(one, here, read.turns),
    ...ofPlace(one, here, later, read.turns),
    ...after(one, here, later),
    ...ofDay(one, here),
    otherDay: flag(read.all.some(other => isRival(one, other))),
  };
}

function flag(is: boolean | undefined): 0 | 1 {
  return is ? 1 : 0;
}

/** From 0 for none to 1 for fifteen and more. */
function many(count: number): number {
  return Math.min(1, Math.log2(1 + count) / 4);
}

function ofCommitment({ commitment, binding }: Candidate, conversation: Conversation): Of<typeof OF_COMMITMENT> {
  const { kind, state, doer, isAccepted, strength, readings } = commitment;
  const { isGroup, speakers, names } = conversation;
  const people = [names.user, names.peer, ...speakers];
  return {
    // One that nothing but its day speaks for has no strength.
    open: flag(state === 'open' && strength > 0),
    done: flag(state === 'done'),
    dropped: flag(state === 'dropped'),
    accepted: flag(isAccepted),
    strength,
    proposal: flag(kind === 'proposal'),
    known: flag(doer !== null),
    speaker: flag(doer?.name === binding.sentence.utterance.speaker),
    mine: flag(doer?.isUser),
    third: flag(doer !== null && !people.includes(doer.name)),
    group: flag(isGroup),
    repeats: flag(readings.filter(({ when }) => when !== null).length > 1),
  };
}

/** Letters above which a message counts as fully worded. */
const FULL = 64;
const SMILE = /\p{Extended_Pictographic}|:-?[)DPp]|\)\)|\^\^/u;
const QUOTES = /["“„«]/u;

function ofWords({ binding, when }: Candidate, here: Turn, turns: Turn[]): Of<typeof OF_WORDS> {
  const { folded, lexicon, moves, isConditional, sentence } = binding;
  const text = here.readings.map(reading => reading.sentence.text).join(' ');
  const has = (test: (reading: Reading) => boolean) => flag(here.readings.some(test));
  const figure = has(reading => FIGURE.test(reading.sentence.text));
  return {
    figure,
    counter: when === null ? figure : 0,
    day: flag(when !== null),
    today: flag(when?.date === turns.at(-1)?.utterance.day),
    length: Math.log2(1 + text.length) / Math.log2(FULL),
    conditional: flag(isConditional),
    accepts: has(({ accepts }) => accepts),
    needs: flag(lexicon.acts.needs.test(folded)),
    promises: Math.max(0, ...moves.map(({ act, strength }) => (act === 'promise' ? strength : 0))),
    someone: flag(lexicon.acts.someone.test(folded)),
    fromUser: flag(sentence.utterance.fromUser),
    moreBehind: flag(here.readings.at(-1) !== binding),
    smiles: flag(SMILE.test(text)),
    negates: has(reading => reading.lexicon.acts.negation.test(reading.folded)),
    pleased: has(({ lexicon: { acts }, folded: said }) => acts.polite.test(said)),
    quotes: flag(QUOTES.test(text)),
  };
}

function ofPlace({ at }: Candidate, here: Turn, later: Turn[], turns: Turn[]): Of<typeof OF_PLACE> {
  const [next] = later;
  const minutes = next ? (next.utterance.sentAt.getTime() - here.utterance.sentAt.getTime()) / 60_000 : FOUR_HOURS;
  const dated = turns.filter(({ readings }) => readings.some(({ when }) => when !== null));
  return {
    share: at / Math.max(1, turns.length - 1),
    isLast: flag(at >= turns.length - 2),
    dayShare: dated.length / turns.length,
    pauseAfter: Math.min(1, Math.log2(1 + Math.max(0, minutes)) / 8),
    goesOn: flag(next?.utterance.speaker === here.utterance.speaker),
    turnsAfter: many(later.length),
    endsDay: flag(later.filter(says).length < 2),
  };
}

const FOUR_HOURS = 240;
/** As far as people remember what was just said. */
const SOON = 3;

function says({ readings }: Turn): boolean {
  return readings.some(({ isSmallTalk }) => !isSmallTalk);
}

function after(
  { binding, commitment, when }: Candidate,
  here: Turn,
  later: Turn[],
): Omit<Of<typeof AFTER>, 'otherDay'> {
  const { speaker } = here.utterance;
  const { doer, asker, readings } = commitment;
  const isOther = ({ utterance }: Turn) => utterance.speaker !== speaker;
  const isDoers = (turn: Turn) => (doer ? turn.utterance.speaker === doer.name : isOther(turn));
  const stems = new Set([binding, ...readings].flatMap(({ sentence }) => sentence.stems));
  const has = (some: Turn[], test: (reading: Reading) => boolean) => flag(some.some(turn => turn.readings.some(test)));
  const ofDoer = later.filter(isDoers);
  const soon = later.slice(0, SOON);
  const answers = soon.filter(isOther);
  const next = later.find(isOther);
  const isReply = (turn: Turn) => says(turn) || turn.readings.some(({ accepts, refuses }) => accepts || refuses);
  const replyAt = later.findIndex(turn => isDoers(turn) && isReply(turn));
  const beforeReply = later.slice(0, replyAt < 0 ? SOON : replyAt).filter(turn => !isOther(turn));
  return {
    doerAfter: many(ofDoer.filter(says).length),
    noneAfter: flag(!ofDoer.some(says)),
    askerAfter: many(later.filter(turn => turn.utterance.speaker === asker.name && says(turn)).length),
    aboutAfter: many(later.filter(turn => turn.readings.some(({ sentence }) => isAbout(stems, sentence.stems))).length),
    fileAfter: flag(ofDoer.some(({ utterance }) => utterance.media !== null && !NO_FILE.has(utterance.media))),
    acceptedNext: has(answers, reading => firstOf(reading) === 'accepts'),
    thanksNext: flag(next !== undefined && !says(next)),
    promisesNext: has(answers, ({ moves }) => moves.some(({ act }) => act === 'promise')),
    replied: flag(replyAt >= 0),
    repliedAtOnce: flag(replyAt === 0),
    asksOn: has(beforeReply, ({ sentence }) => sentence.isQuestion),
    dayNext: has(soon, ({ when: named }) => named !== null && isOtherDay(named, when)),
    figureNext: flag(here.readings.some(hasFigure) && soon.some(turn => turn.readings.some(hasFigure))),
    refusedNext: has(answers, ({ refuses }) => refuses),
    asksNext: has(answers, ({ sentence }) => sentence.isQuestion),
    sameDay: has(later, reading => when !== null && reading.when?.date === when.date),
    laterDay: has(
      later,
      ({ when: named }) => when !== null && named !== null && !named.isHour && named.date > when.date,
    ),
  };
}

function hasFigure({ sentence }: Reading): boolean {
  return FIGURE.test(sentence.text);
}

/** Another day, or another hour of it. */
function isOtherDay(named: When, when: When | null): boolean {
  if (when === null) return false;
  return named.isHour ? when.time !== null && named.time !== when.time : named.date !== when.date;
}

/** Whose words name it, and how. */
function ofDay({ asked, commitment, when }: Candidate, here: Turn): Of<typeof OF_DAY> {
  const named = here.readings.flatMap(reading => [...(reading.when ? [reading.when] : []), ...reading.slots]);
  const days = new Set(named.filter(({ isHour }) => !isHour).map(({ date }) => date));
  return {
    severalDays: flag(days.size > 1),
    dayOwn: flag(when !== null && days.has(when.date)),
    dayAsked: flag(when !== null && asked?.when?.date === when.date),
    dayInDigits: flag(when !== null && /\p{N}/u.test(when.words)),
    dayAgreed: flag(when !== null && commitment.kind === 'proposal' && commitment.isAccepted),
    hour: flag(when !== null && when.time !== null),
  };
}

const NO_FILE: ReadonlySet<string> = new Set(['sticker', 'voice']);

/** Another day for something of the same kind, named later: the plan may have changed. */
function isRival(one: Candidate, other: Candidate): boolean {
  if (other.at <= one.at || other.when === null || other.when.date === one.when?.date) return false;
  return other.commitment.kind === 'proposal' || other.commitment.kind === one.commitment.kind;
}
