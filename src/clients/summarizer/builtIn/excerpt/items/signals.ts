import type { Conversation } from '../../conversation.ts';
import { FIGURE } from '../../choosing.ts';
import type { Turn } from '../../reading.ts';
import { isAbout } from '../../stems.ts';
import { firstOf, isJoking } from '../../tasks.ts';
import type { Reading } from '../../types.ts';
import type { Candidate } from './candidates.ts';

const OF_TASK = [
  'promise', 'request', 'question', 'proposal', 'offer', 'unread', 'open', 'done', 'dropped', 'accepted', 'strength',
  'known', 'speaker', 'mine', 'third', 'group', 'isRiddle', 'asked', 'waits', 'shared', 'mentions', 'forAll',
] as const;
const OF_WORDS = [
  'asks', 'figure', 'day', 'hour', 'today', 'past', 'length', 'short', 'stems', 'joke', 'conditional', 'vague', 'smallTalk', 'refuses',
  'isDone', 'accepts', 'negation', 'needs', 'promises', 'requests', 'file', 'moment', 'noHurry', 'someone', 'decides', 'fromUser', 'askedAsks', 'negative',
] as const;
const AFTER = [
  'turnsAfter', 'doerAfter', 'askerAfter', 'aboutAfter', 'doneAbout', 'doneSoon', 'fileAfter', 'refusedNext', 'acceptedNext',
  'thanksNext', 'askedNext', 'dayAfter', 'goesOn', 'pauseAfter', 'share', 'refusedAbout', 'answeredNext', 'ownNext','doneNext', 'asksAgain',
  'replied', 'repliedAtOnce', 'repliedFigure', 'repliedBack', 'asksOn', 'rivals', 'moved', 'sameDay', 'noneAfter', 'isLast', 'offered', 'deed', 'before', 'moreBehind',
  'smiles', 'smileNext', 'turnRefuses', 'turnNegates', 'turnCondition', 'ownDay', 'counter', 'laterDay', 'dayShare', 'endsDay', 'offersOnly', 'pleased', 'ageOfTask', 'repeats', 'quotes', 'byAsker', 'laterCandidate',
] as const;
export const ITEM_SIGNALS = [...OF_TASK, ...OF_WORDS, ...AFTER] as const;
export type ItemSignals = Record<(typeof ITEM_SIGNALS)[number], number>;

const flag = (is: boolean | undefined) => (is ? 1 : 0);

export function itemSignals(one: Candidate, all: Candidate[], turns: Turn[], conversation: Conversation): ItemSignals {
  return { ...ofTask(one, all, conversation), ...ofWords(one, turns), ...after(one, all, turns) };
}

function ofTask({ task, binding, asked, isRiddle, isQuestion, at }: Candidate, all: Candidate[], { isGroup, speakers, names }: Conversation) {
  const { kind, state, doer, isAccepted, strength, readings, isForAll } = task;
  const { speaker } = binding.sentence.utterance;
  const isUnread = strength === 0;
  const inTalk = (name: string) => name === names.user || name === names.peer || speakers.includes(name);
  return {
    promise: flag(kind === 'promise'),
    request: flag(kind === 'request'),
    question: flag(kind === 'question'),
    proposal: flag(kind === 'proposal' && !isUnread),
    offer: flag(kind === 'offer'),
    unread: flag(isUnread),
    open: flag(state === 'open' && !isUnread),
    done: flag(state === 'done'),
    dropped: flag(state === 'dropped'),
    accepted: flag(isAccepted),
    strength,
    known: flag(doer !== null),
    speaker: flag(doer?.name === speaker),
    mine: flag(doer?.isUser),
    third: flag(doer !== null && !inTalk(doer.name)),
    group: flag(isGroup),
    isRiddle: flag(isRiddle),
    asked: flag(asked !== null),
    waits: flag(isQuestion),
    shared: flag(all.some(other => other.task !== task && other.at === at)),
    mentions: Math.min(1, (readings.length - 1) / 3),
    forAll: flag(isForAll),
  };
}

const FULL = 64;

function ofWords({ binding, task, when, at, asked }: Candidate, turns: Turn[]) {
  const { sentence, lexicon, folded, moves } = binding;
  const turn = turns[at] as Turn;
  const today = turns.at(-1)?.utterance.day ?? '';
  const strength = (...acts: string[]) => Math.max(0, ...moves.map(move => (acts.includes(move.act) ? move.strength : 0)));
  const letters = turn.readings.reduce((sum, { sentence: { text } }) => sum + text.length, 0);
  const cue = (name: 'negation' | 'needs' | 'noHurry' | 'someone' | 'decides' | 'negative') => flag(lexicon.acts[name].test(folded));
  return {
    asks: flag(sentence.isQuestion),
    figure: flag(turn.readings.some(reading => FIGURE.test(reading.sentence.text))),
    day: flag(when !== null),
    hour: flag(when?.time != null),
    today: flag(when?.date === today),
    past: flag(when !== null && when.date < today),
    length: Math.log2(1 + letters) / Math.log2(FULL),
    short: flag(sentence.text.length < 15),
    stems: Math.min(1, sentence.stems.length / 8),
    joke: flag(isJoking(binding, turn)),
    conditional: flag(binding.isConditional),
    vague: flag(binding.isVague || task.deed?.isVague),
    smallTalk: flag(binding.isSmallTalk),
    refuses: flag(binding.refuses),
    isDone: flag(turn.readings.some(({ isDone }) => isDone)),
    accepts: flag(turn.readings.some(({ accepts }) => accepts)),
    negation: cue('negation'),
    needs: cue('needs'),
    promises: strength('promise'),
    requests: strength('request', 'need'),
    file: flag(turn.utterance.media !== null),
    moment: flag(binding.isMoment),
    noHurry: cue('noHurry'),
    someone: cue('someone'),
    decides: cue('decides'),
    fromUser: flag(sentence.utterance.fromUser),
    askedAsks: flag(asked?.sentence.isQuestion),
    negative: cue('negative'),
  };
}

const SOON = 3;
const many = (count: number) => Math.min(1, Math.log2(1 + count) / 4);

function after({ binding, task, at, when }: Candidate, all: Candidate[], turns: Turn[]) {
  const here = turns[at] as Turn;
  const { speaker } = here.utterance;
  const doer = task.doer?.name ?? null;
  const later = turns.slice(at + 1).filter(({ utterance }) => utterance.day === here.utterance.day);
  const soon = later.slice(0, SOON);
  const stems = new Set(binding.sentence.stems);
  for (const { sentence } of task.readings) for (const stem of sentence.stems) stems.add(stem);
  const says = ({ readings }: Turn) => readings.some(({ isSmallTalk }) => !isSmallTalk);
  const isTheirs = (turn: Turn) => turn.utterance.speaker !== speaker;
  const about = later.filter(({ readings }) => readings.some(({ sentence }) => isAbout(stems, sentence.stems)));
  const has = (some: Turn[], test: (reading: Reading) => boolean) => flag(some.some(({ readings }) => readings.some(test)));
  const next = later.find(isTheirs);
  const ofDoer = later.filter(({ utterance }) => (doer === null ? utterance.speaker !== speaker : utterance.speaker === doer));
  const answers = soon.filter(isTheirs);
  return {
    turnsAfter: many(later.length),
    doerAfter: many(ofDoer.filter(says).length),
    askerAfter: many(later.filter(turn => turn.utterance.speaker === task.asker.name && says(turn)).length),
    aboutAfter: many(about.length),
    doneAbout: has(about, ({ isDone }) => isDone),
    doneSoon: has(ofDoer, ({ isDone }) => isDone),
    fileAfter: flag(ofDoer.some(({ utterance: { media } }) => media !== null && media !== 'sticker' && media !== 'voice')),
    refusedNext: has(answers, reading => firstOf(reading) === 'refuses'),
    acceptedNext: has(answers, reading => firstOf(reading) === 'accepts'),
    thanksNext: flag(next?.readings.every(({ isSmallTalk }) => isSmallTalk)),
    askedNext: has(answers, ({ sentence }) => sentence.isQuestion),
    dayAfter: has(about, ({ when }) => when !== null && !when.isHour),
    goesOn: flag(later[0]?.utterance.speaker === speaker),
    pauseAfter: later[0] ? Math.min(1, Math.log2(1 + (later[0].utterance.sentAt.getTime() - here.utterance.sentAt.getTime()) / 60_000) / 8) : 1,
    share: at / Math.max(1, turns.length - 1),
    refusedAbout: has(about, ({ refuses }) => refuses),
    answeredNext: has(answers, ({ sentence, isSmallTalk }) => !sentence.isQuestion && !isSmallTalk && isAbout(stems, sentence.stems)),
    ownNext: has(answers, ({ moves }) => moves.some(({ act }) => act === 'promise')),
    doneNext: has(soon, ({ isDone }) => isDone),
    ...replyTo(later, next, speaker, doer),
    moved: has(later, reading => reading.when !== null && !reading.when.isHour && !!when && reading.when.date !== when.date && (reading.proposes || reading.sentence.isQuestion || reading.accepts || task.kind === 'proposal')),
    sameDay: has(later, reading => reading.when !== null && reading.when.date === when?.date),
    noneAfter: flag(!ofDoer.some(says)),
    isLast: flag(at >= turns.length - 2),
    rivals: many(turns.filter(turn => turn.index !== at && turn.utterance.speaker === speaker && turn.readings.some(({ sentence }) => sentence.isQuestion) && Math.abs(turn.index - at) <= SOON).length),
    offered: flag(task.readings.some(({ moves }) => moves.some(({ act }) => act === 'offer'))),
    deed: flag(task.deed !== null && !task.deed.isRough),
    before: flag(turns[at - 1]?.utterance.speaker === speaker),
    moreBehind: flag(here.readings.at(-1) !== binding),
    ...ofTurn(here, later, next, turns),
    ownDay: flag(when !== null && binding.when?.date === when.date),
    counter: flag(when === null && here.readings.some(({ sentence }) => FIGURE.test(sentence.text))),
    laterDay: has(later, reading => reading.when !== null && !reading.when.isHour && !!when && reading.when.date > when.date),
    offersOnly: flag(task.kind !== 'offer' && binding.moves.some(({ act }) => act === 'offer')),
    ageOfTask: many(task.lastTurn - task.firstTurn),
    repeats: flag(task.readings.filter(({ when: day }) => day !== null).length > 1),
    byAsker: flag(task.asker.name === speaker),
    laterCandidate: flag(all.some(other => other.at > at && other.when !== null && other.when.date !== when?.date && (other.task.kind === 'proposal' || other.task.kind === task.kind))),
    asksAgain: has(later.filter(turn => !isTheirs(turn)), ({ lexicon, folded }) => lexicon.acts.asksAgain.test(folded)),
  };
}

/** How whoever was asked went on: with an answer, with a question of their own, or not at all. */
function replyTo(later: Turn[], next: Turn | undefined, speaker: string, doer: string | null) {
  const reply = later.find(({ utterance, readings }) => (doer === null ? utterance.speaker !== speaker : utterance.speaker === doer) && readings.some(({ isSmallTalk, accepts, refuses }) => !isSmallTalk || accepts || refuses));
  const asksOn = later.slice(0, later.indexOf(reply as Turn) < 0 ? SOON : later.indexOf(reply as Turn)).some(turn => turn.utterance.speaker === speaker && turn.readings.some(({ sentence }) => sentence.isQuestion));
  return {
    replied: flag(reply !== undefined),
    repliedAtOnce: flag(reply !== undefined && reply === next && reply === later[0]),
    repliedFigure: flag(reply?.readings.some(({ sentence }) => FIGURE.test(sentence.text))),
    repliedBack: flag(reply?.readings.every(({ sentence }) => sentence.isQuestion)),
    asksOn: flag(asksOn),
  };
}

const SMILE = /\p{Extended_Pictographic}|:-?[)DPp]|\)\)|\^\^/u;
const textOf = (turn: Turn | undefined) => turn?.readings.map(({ sentence }) => sentence.text).join(' ') ?? '';

function ofTurn(here: Turn, later: Turn[], next: Turn | undefined, turns: Turn[]) {
  const cue = (name: 'negation' | 'condition' | 'delight' | 'polite') => flag(here.readings.some(({ folded, lexicon }) => lexicon.acts[name].test(folded)));
  return {
    smiles: flag(SMILE.test(textOf(here))),
    smileNext: flag(SMILE.test(textOf(next))),
    turnRefuses: flag(here.readings.some(({ refuses }) => refuses)),
    turnNegates: cue('negation'),
    turnCondition: cue('condition'),
    pleased: flag(cue('delight') || cue('polite')),
    quotes: flag(/["“„«]/u.test(textOf(here))),
    dayShare: turns.filter(({ readings }) => readings.some(({ when }) => when !== null)).length / turns.length,
    endsDay: flag(later.filter(({ readings }) => readings.some(({ isSmallTalk }) => !isSmallTalk)).length < 2),
  };
}
