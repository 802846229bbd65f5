import type { Conversation } from '../conversation.ts';
import { byMessage, FIGURE, type Worthy, weigh } from './choosing.ts';
import { contextOf } from './context.ts';
import type { OpenTask } from './items.ts';
import { phrase, quoted, quotedAll, quotedAnswer, quotedFrom, quotedParts, quotedWhole } from './phrases.ts';
import { isOfSeveralDays, type Turn } from './reading.ts';
import { isOnlyDay } from './replies.ts';
import { isAbout } from './stems.ts';
import { toldDone } from './table/done.ts';
import type { Task } from './tasks.ts';
import { asSentence, withDay, withoutReceiver, withoutWords } from './text.ts';
import type { Reading } from './types.ts';

/** A sentence of the summary: what it says, what it rests on, and how much would be missed without it. */
export type Fact = {
  text: string;
  readings: Reading[];
  worth: number;
  isOpen: boolean;
  /** A question with its answer. */
  isPair?: boolean;
  /** Who does what, where it is said so: neighbours with one doer share a sentence. */
  doing: { doer: string; will: string } | null;
  /** Without what may have been quoted before it. */
  alone?: { text: string; context: Reading };
};

/** What each further sentence of a message adds to its worthiest one. */
const FURTHER = 0.15;
const REST = 0.6;

type Tale = { isOpen: boolean; limit: number; turns: Turn[] };

/** Everything that may stand in a summary, in no order. */
export function factsOf(
  turns: Turn[],
  tasks: Task[],
  open: OpenTask[],
  limit: number,
  { names }: Conversation,
): Fact[] {
  const isOpen = new Set(open.map(({ task }) => task));
  const told = tasks.flatMap(task => taskFact(task, { isOpen: isOpen.has(task), limit, turns }) ?? []);
  // What was asked and done is told by its outcome, or not at all.
  const over = tasks
    .filter(({ state, kind }) => state === 'done' && kind !== 'question')
    .flatMap(({ readings: [first] }) => first ?? []);
  const covered = new Set([...told.flatMap(({ readings }) => readings), ...over]);
  const worthy = weigh(turns, names.words).filter(
    ({ reading }) => !covered.has(reading) && !isReplyOnly(reading) && saysEnough(reading),
  );
  const said = isOfSeveralDays(turns)
    ? byMessage(worthy).flatMap(message => messageFact(message, limit, covered) ?? [])
    : worthy.map(({ reading, worth }) => fact(spoken(reading, quotedWhole(reading, limit)), [reading], worth, false));
  const all = [...told, ...said];
  return all.filter(({ text }, at) => all.findIndex(other => other.text === text) === at);
}

function fact(text: string, readings: Reading[], worth: number, isOpen: boolean): Fact {
  return { text, readings, worth, isOpen, doing: null };
}

/** Of a message all that isn't told already, or, where that is too long, its worthiest sentence. */
function messageFact(sentences: Worthy[], limit: number, covered: ReadonlySet<Reading>): Fact | null {
  const [first] = sentences as [Worthy, ...Worthy[]];
  const best = sentences.reduce((one, other) => (other.worth > one.worth ? other : one));
  const { utterance } = best.reading.sentence;
  const isRest = [...covered].some(({ sentence }) => sentence.utterance === utterance);
  const sum = sentences.reduce((total, one) => total + FURTHER * one.worth, (1 - FURTHER) * best.worth);
  // The rest of a message that is told in part already says little alone.
  if (isRest && !FIGURE.test(best.reading.sentence.text)) return null;
  const worth = isRest ? REST * sum : sum;
  const all = sentences.map(({ reading }) => reading);
  const length = all.reduce((sum, { sentence }) => sum + sentence.text.length + 1, 0);
  if (length > limit) return fact(spoken(best.reading, quotedWhole(best.reading, limit)), [best.reading], worth, false);
  const quote = quotedParts(all, limit);
  return fact(spoken(first.reading, quote), all, worth, false);
}

function taskFact(task: Task, tale: Tale): Fact | null {
  if (tale.isOpen) return openFact(task, tale);
  const [first] = task.readings;
  const { outcome, state, doer } = task;
  if (!first || !outcome) return null;
  const { limit } = tale;
  if (state === 'dropped') {
    const declined = phrase(codeOf(outcome), 'declines', {
      who: outcome.sentence.utterance.speaker,
      quote: quotedFrom(outcome, limit),
    });
    return fact(`${asked(task, first, quoted(first.sentence, limit))} ${declined}`, [first, outcome], 1.7, false);
  }
  const done = state === 'done' && doer && task.strength >= 0.5 ? toldDone(task, doer.name) : null;
  if (done) return fact(done, task.readings, 1.7, false);
  if (state === 'done' && task.strength >= 0.5) return doneFact(task, outcome, tale);
  const isTelling =
    state === 'answered' && first.sentence.stems.length > 1 && !first.isSmallTalk && isPair(task, first, outcome);
  if (!isTelling) return null;
  const sources = [first, ...readingsOf(outcome, tale.turns)];
  const worth = pairWorth(first, outcome, tale.turns);
  return { ...fact(withReply(task, first, limit), sources, worth, false), isPair: true };
}

/** A figure or a refusal is an answer to keep. A question with nothing in it that opens a talk of several days is an opener. */
function pairWorth(first: Reading, outcome: Reading, turns: Turn[]): number {
  if (/\p{N}/u.test(outcome.sentence.text) || outcome.refuses) return 1.5;
  if (first.index >= 3) return 1.3;
  if (first.sentence.stems.length >= 3) return 1.6;
  return isOfSeveralDays(turns) ? 0.4 : 1.4;
}

/** In the words of who did it where they tell what was done; else "Nora sent the file". */
function doneFact(
  { deed, deedWhen, when, doer, readings }: Task,
  outcome: Reading,
  { limit, turns }: Tale,
): Fact | null {
  const isClear = deed?.did && doer && !deed.isVague && !deed.pointsBack;
  if (isClear && !isOfSeveralDays(turns)) {
    const did = withoutWords(withoutWords(withoutReceiver(deed.did ?? '', doer.name), deedWhen), when);
    return fact(asSentence(`${doer.name} ${did}`), readings, 1.7, false);
  }
  const isTelling = outcome.sentence.stems.length >= 3 && !isReplyOnly(outcome);
  const sources = [...new Set([...readings, outcome])];
  return isTelling ? fact(spoken(outcome, quotedWhole(outcome, limit)), sources, 1.7, false) : null;
}

function openFact(task: Task, { limit, turns }: Tale): Fact | null {
  const { readings, deed, doer, asker, kind, isAccepted } = task;
  const [first] = readings;
  if (!first) return null;
  if (kind === 'question' || (kind === 'proposal' && !isAccepted))
    return fact(asked(task, first, quoted(first.sentence, limit)), readings, 2.4, true);
  if (kind === 'proposal')
    return fact(
      withReply(task, first, limit),
      readings.flatMap(reading => readingsOf(reading, turns)),
      3,
      true,
    );
  if (!deed || !doer || deed.isRough) return quotedFact(task, first, { limit, turns });
  const isUnclear = deed.isVague || deed.pointsBack === true;
  const context = isUnclear ? contextOf(task, turns) : null;
  if (context === first) return fact(spoken(first, quotedWhole(first, limit)), readings, 2.8, true);
  const behind = context ? ` (${quoted(context.sentence, 90)})` : '';
  const sources = context ? [...readings, context] : readings;
  const isTaken = kind !== 'request' || isAccepted || asker.name === doer.name;
  // "Will send it («…»)" is told in their own words where the language has no tagger.
  if (context && codeOf(first) !== 'en') {
    const alone = { text: spoken(first, quotedWhole(first, limit)), context };
    return { ...fact(inTurn(context, first, limit), [context, first], 2.8, true), alone };
  }
  const will = deed.will && dated(withDay(deed.will, task.deedWhen, task.when), task, first);
  if (isTaken && will && (!isUnclear || context)) {
    const told = fact(asSentence(`${doer.name} ${will}${behind}`), sources, 3, true);
    return { ...told, doing: { doer: doer.name, will: `${will}${behind}` } };
  }
  if (!isTaken && codeOf(first) === 'en' && (!isUnclear || context)) {
    const task = `${asker.name} asks ${doer.name} to ${withoutReceiver(deed.toDo, asker.name)}${behind}`;
    const otherwise = consequenceOf(first, turns);
    const threat = otherwise ? ` (${quoted(otherwise.sentence, limit)})` : '';
    return fact(asSentence(`${task}${threat}`), otherwise ? [...sources, otherwise] : sources, 3, true);
  }
  return fact(requested(task, first, limit) ?? spoken(first, quotedWhole(first, limit)), [first], 2.6, true);
}

/** As it was said, with the question that it answers or with the answer that took it up. */
function quotedFact(task: Task, first: Reading, { limit, turns }: Pick<Tale, 'limit' | 'turns'>): Fact {
  const context = !task.deed && isOnlyDay(first) ? contextOf(task, turns) : null;
  if (context && context !== first) return fact(inTurn(context, first, limit), [context, first], 2.6, true);
  const answer = task.readings.find(
    ({ sentence, isSmallTalk }) => sentence.utterance.speaker !== first.sentence.utterance.speaker && !isSmallTalk,
  );
  if (task.deed || !answer) return fact(spoken(first, quotedWhole(first, limit)), [first], 2.6, true);
  const reply = phrase(codeOf(answer), 'answers', {
    who: answer.sentence.utterance.speaker,
    quote: quotedAnswer(answer, limit),
  });
  const sources = [first, ...readingsOf(answer, turns)];
  return fact(`${asked(task, first, quoted(first.sentence, limit))} ${reply}`, sources, 2.6, true);
}

const OTHERWISE = /^(?:otherwise|or else|if not)(?!\p{L})/u;

/** "I need it by Tuesday. Otherwise we leave." */
function consequenceOf(first: Reading, turns: Turn[]): Reading | undefined {
  return readingsOf(first, turns).find(({ index, folded }) => index === first.index + 1 && OTHERWISE.test(folded));
}

/** The day that a later turn gave, where it may stand at the end. */
function dated(will: string, { when, deedWhen }: Task, { lexicon }: Reading): string {
  const mayFollow = lexicon.grammar?.verbLast === false && !lexicon.grammar.doesLast;
  if (!when || deedWhen || !mayFollow || will.toLowerCase().includes(when.words.toLowerCase())) return will;
  return `${will} ${when.words}`;
}

/** A promise in the speaker's words, preceded by the sentence that it refers to. */
function inTurn(context: Reading, first: Reading, limit: number): string {
  const { speaker } = first.sentence.utterance;
  if (context.sentence.utterance.speaker === speaker)
    return [context, first].map(one => spoken(one, quotedWhole(one, limit))).join(' ');
  const question = phrase(codeOf(context), context.sentence.isQuestion ? 'asks' : 'says', {
    who: context.sentence.utterance.speaker,
    to: speaker,
    quote: quoted(context.sentence, limit),
  });
  return `${question} ${phrase(codeOf(first), 'answers', { who: speaker, quote: quotedFrom(first, limit) })}`;
}

/** What one asks of the other in a talk of two, in the words of the language. */
function requested({ kind, asker, deed, doer }: Task, { sentence, lexicon }: Reading, limit: number): string | null {
  if (kind !== 'request' || !doer || sentence.isQuestion || lexicon.code === 'en') return null;
  const { requestsTask } = lexicon.phrases;
  if (requestsTask && deed && !deed.isVague && sentence.utterance.addressee !== null)
    return asSentence(requestsTask.replace('{who}', () => asker.name).replace('{task}', () => deed.toDo));
  return phrase(lexicon.code, 'requests', { who: asker.name, to: doer.name, quote: quoted(sentence, limit) });
}

/** All of the message that a reading stands in. */
function readingsOf({ sentence }: Reading, turns: Turn[]): Reading[] {
  return turns.find(({ utterance }) => utterance === sentence.utterance)?.readings ?? [];
}

function codeOf({ lexicon }: Reading): string {
  return lexicon.code;
}

function asked({ asker, doer }: Task, first: Reading, quote: string): string {
  // "May I come on Friday?" is for the speaker to do, and for the other to say.
  const to = doer?.name === asker.name ? first.sentence.utterance.addressee : (doer?.name ?? null);
  const isAsking = to !== null && (first.sentence.isQuestion || codeOf(first) === 'en');
  return phrase(codeOf(first), isAsking ? 'asks' : 'says', { who: asker.name, to, quote });
}

/** The question and its answer, side by side. */
function withReply(task: Task, first: Reading, limit: number): string {
  const { speaker, sentences } = first.sentence.utterance;
  const answer = task.outcome ?? task.readings.findLast(({ sentence }) => sentence.utterance.speaker !== speaker);
  const questions = sentences.filter(({ isQuestion }) => isQuestion);
  const [one = first.sentence, ...others] = questions.length > 1 ? questions : [first.sentence];
  const question = asked(task, first, quotedAll(one, others, limit));
  if (!answer) return question;
  const { utterance } = answer.sentence;
  return `${question} ${phrase(codeOf(answer), 'answers', { who: utterance.speaker, quote: quotedAnswer(answer, limit) })}`;
}

/** An answer stands close behind its question, or takes up a word of it. */
function isPair({ firstTurn, lastTurn }: Task, first: Reading, outcome: Reading): boolean {
  if (outcome.sentence.isQuestion && !outcome.accepts && !outcome.refuses) return false;
  return lastTurn - firstTurn <= 2 || isAbout(new Set(first.sentence.stems), outcome.sentence.stems);
}

function spoken({ sentence, lexicon }: Reading, quote: string): string {
  const { speaker, addressee } = sentence.utterance;
  const isTold = addressee !== null && lexicon.phrases.tells !== undefined;
  const said = { who: speaker, to: addressee, quote };
  return phrase(lexicon.code, isTold ? 'tells' : 'says', said);
}

/** Two words of praise are no news; where a tagger reads, it weighs them. */
function saysEnough({ lexicon, sentence: { stems, text } }: Reading): boolean {
  return lexicon.code === 'en' || stems.length >= 2 || /\p{N}/u.test(text);
}

/** "Will do." says nothing without what it answers. */
function isReplyOnly({ accepts, isDone, refuses, sentence: { words, stems } }: Reading): boolean {
  return (accepts || isDone || refuses) && (words.length <= 4 || stems.length <= 1);
}
