import type { Conversation } from '../conversation.ts';
import { agreements } from './agreements.ts';
import { asked, withReply } from './answers.ts';
import { type Answered, answeredIn, byMessage, FIGURE, type Worthy, weigh } from './choosing.ts';
import { isFragment, standsAlone } from './english/standsAlone.ts';
import { type Fact, type FactScope, fact } from './fact.ts';
import type { OpenTask } from './items.ts';
import { openFact } from './openFacts.ts';
import { phrase, quotedFrom } from './phrases.ts';
import { ANSWERS_LATER, isOfSeveralDays, type Turn } from './reading.ts';
import { isAbout } from './stems.ts';
import { toldDone } from './table/done.ts';
import type { Task } from './tasks.ts';
import { antecedentOf, codeOf, readingsOf, told, toldWhole } from './telling.ts';
import { asSentence, withoutReceiver, withoutWords } from './text.ts';
import type { Reading } from './types.ts';

/** The share of its worth that each further sentence of a message adds to its best one. */
const FURTHER = 0.15;
const REST = 0.6;
/** The share of its worth that a sentence keeps if it refers to something that the summary doesn't tell. */
const UNCLEAR = 0.35;

/** Everything that may be in a summary, unordered. */
export function factsOf(
  turns: Turn[],
  tasks: Task[],
  open: OpenTask[],
  limit: number,
  { names }: Conversation,
): Fact[] {
  const isOpen = new Set(open.map(({ task }) => task));
  const left = new Set(open.flatMap(({ task }) => task.readings));
  const answered = answeredIn(turns);
  const scope = { limit, turns, left, answered };
  const weighed = weigh(turns, names.words, answered);
  const told = tasks
    .flatMap(task => taskFact(task, { ...scope, isOpen: isOpen.has(task) }) ?? [])
    .map(one => withLead(one, weighed, turns));
  // What was asked and done is told by its outcome, or not at all.
  const over = tasks
    .filter(({ state, kind }) => state === 'done' && kind !== 'question')
    .flatMap(({ readings: [first] }) => first ?? []);
  const yeses = agreements(turns, limit);
  const agreed = yeses.filter(
    ({ readings: [offer] }) => !told.some(({ readings }) => offer && readings.includes(offer)),
  );
  const covered = new Set([...told, ...agreed].flatMap(({ readings }) => readings).concat(over));
  const worthy = weighed.filter(
    ({ reading }) => !covered.has(reading) && !isReplyOnly(reading) && saysEnough(reading) && !isMet(reading, turns),
  );
  const said = isOfSeveralDays(turns)
    ? byMessage(worthy).flatMap(message => messageFact(message, { limit, turns, covered }) ?? [])
    : worthy.map(({ reading, worth }) => fact(toldWhole(reading, turns, limit), [reading], worth, false));
  const all = [
    ...[...told.map(one => withYes(one, yeses)), ...said, ...purchases(turns, limit)].map(one =>
      isClear(one, turns) ? one : { ...one, worth: UNCLEAR * one.worth },
    ),
    ...agreed,
  ];
  return all.filter(({ text }, at) => all.findIndex(other => other.text === text) === at);
}

/** "A hundred is too much. Could it be 40?": what leads up to a question is told only with it and its answer. */
function withLead(told: Fact, weighed: Worthy[], turns: Turn[]): Fact {
  const [question] = told.readings;
  if (!told.isPair || !question) return told;
  const before = readingsOf(question, turns).find(({ index }) => index === question.index - 1);
  if (!before || !told.text.includes(before.sentence.text.slice(-LEAD))) return told;
  const worth = weighed.find(({ reading }) => reading === before)?.worth ?? 0;
  return { ...told, readings: [...told.readings, before], worth: Math.max(told.worth, worth) };
}

/** How many characters from its end identify a sentence in a quotation, whose beginning may be cut. */
const LEAD = 30;

/** An answer that is an offer is told with the yes to it. */
function withYes(told: Fact, yeses: Fact[]): Fact {
  const yes = yeses.find(({ readings: [offer] }) => offer && told.readings.includes(offer));
  const [, reply] = yes?.readings ?? [];
  if (!yes || !reply || told.isOpen || !told.isPair) return told;
  const text = `${told.text} ${reply.sentence.utterance.speaker} agrees.`;
  return { ...told, text, readings: [...told.readings, reply], worth: Math.max(told.worth, yes.worth) };
}

/** "Excuse me, Mr. White?" */
function isMereCall(reading: Reading): boolean {
  return isFragment(reading) && !reading.tokens?.some(({ pos }) => pos === 'NOUN' || pos === 'NUM');
}

/** Open tasks and threats are told in any case. The rest must make sense to someone who reads nothing else. */
function isClear({ readings, isOpen }: Fact, turns: Turn[]): boolean {
  const [first] = readings;
  if (!first || isOpen || readings.some(({ lexicon, folded }) => lexicon.acts.threat.test(folded))) return true;
  const before = first.sentence.isQuestion ? null : antecedentOf(first, turns);
  return standsAlone(before ? [before, ...readings] : readings) && !(first.sentence.isQuestion && isFragment(first));
}

/** "Jule needs it" after a sentence that is left out. */
function dependsOnOmitted(reading: Reading, kept: Reading[], turns: Turn[]): boolean {
  const before = readingsOf(reading, turns).find(({ index }) => index === reading.index - 1);
  if (!before || kept.includes(before) || !reading.tokens) return false;
  const at = reading.tokens.findIndex(({ low }) => /^(?:it|them|that|this|these|those)$/.test(low));
  return at >= 0 && !reading.tokens.slice(0, at).some(({ pos }) => pos === 'NOUN');
}

const TAKES =
  /(?<!\p{L})(?:i|we)(?:'ll| will|'d like to) (?:take|have|buy|go (?:for|with)) (?:it|this|that|them|these|those|one|both)(?!\p{L})/u;
/** How many turns back "it" may have been offered. */
const OFFERED = 3;

/** "I'll take it", told with what was offered and for how much. */
function purchases(turns: Turn[], limit: number): Fact[] {
  return turns.flatMap((turn, at) => {
    const taken = turn.readings.find(({ folded, tokens }) => tokens && TAKES.test(folded));
    if (!taken) return [];
    const { speaker, day } = turn.utterance;
    const offers = turns
      .slice(Math.max(0, at - OFFERED), at)
      .filter(({ utterance }) => utterance.speaker !== speaker && utterance.day === day)
      .flatMap(({ readings }) => readings.filter(({ sentence, isSmallTalk }) => !sentence.isQuestion && !isSmallTalk));
    const offer = offers.findLast(({ sentence }) => FIGURE.test(sentence.text)) ?? offers.at(-1);
    return offer
      ? [fact(`${told([offer], null, limit)} ${told([taken], null, limit)}`, [offer, taken], 2.2, false)]
      : [];
  });
}

/** "I need a photo", which later arrived with that name. */
function isMet({ folded, lexicon, sentence: { utterance, stems } }: Reading, turns: Turn[]): boolean {
  if (!lexicon.acts.needs.test(folded)) return false;
  const later = turns.slice(turns.findIndex(turn => turn.utterance === utterance) + 1);
  return later.some(
    ({ utterance: { media, speaker }, readings }) =>
      media !== null &&
      speaker !== utterance.speaker &&
      readings.some(({ sentence }) => isAbout(new Set(stems), sentence.stems)),
  );
}

/** Everything in a message that isn't told already or, if that is too long, its best sentence. */
function messageFact(
  sentences: Worthy[],
  { limit, turns, covered }: { limit: number; turns: Turn[]; covered: ReadonlySet<Reading> },
): Fact | null {
  const best = sentences.reduce((one, other) => (other.worth > one.worth ? other : one));
  const { utterance } = best.reading.sentence;
  const isRest = [...covered].some(({ sentence }) => sentence.utterance === utterance);
  const sum = sentences.reduce((total, one) => total + FURTHER * one.worth, (1 - FURTHER) * best.worth);
  // The rest of a message that is already told in part says little by itself.
  if (isRest && !FIGURE.test(best.reading.sentence.text)) return null;
  const worth = isRest ? REST * sum : sum;
  const kept = sentences.map(({ reading }) => reading);
  const all = kept.filter(reading => reading === best.reading || !dependsOnOmitted(reading, kept, turns));
  const length = all.reduce((sum, { sentence }) => sum + sentence.text.length + 1, 0);
  if (length > limit) return fact(toldWhole(best.reading, turns, limit), [best.reading], worth, false);
  return fact(told(all, antecedentOf(all[0], turns), limit), all, worth, false);
}

/** `left`: the readings of what is still to do. */
type TaskScope = FactScope & { left: ReadonlySet<Reading>; answered: Answered };

function taskFact(task: Task, scope: TaskScope): Fact | null {
  if (scope.isOpen) return openFact(task, scope);
  const [first] = task.readings;
  const { outcome, state, doer } = task;
  if (!first || !outcome) return null;
  const { limit } = scope;
  if (state === 'dropped') {
    const declined = phrase(codeOf(outcome), 'declines', {
      who: outcome.sentence.utterance.speaker,
      quote: quotedFrom(outcome, limit),
    });
    return fact(`${asked(task, [first], scope)} ${declined}`, [first, outcome], 1.7, false);
  }
  const done = state === 'done' && doer && task.strength >= 0.5 ? toldDone(task, doer.name) : null;
  if (done) return fact(done, task.readings, 1.7, false);
  if (state === 'done' && task.strength >= 0.5) return doneFact(task, outcome, scope);
  const isTelling =
    state === 'answered' &&
    first.sentence.stems.length > 1 &&
    !first.isSmallTalk &&
    !isMereCall(first) &&
    isPair(task, first, outcome) &&
    !isAnsweredBefore(first, outcome, scope.turns);
  if (!isTelling) return null;
  const sources = [first, ...readingsOf(outcome, scope.turns)];
  const worth = pairWorth(first, outcome, scope);
  // "Will do it tomorrow" is already told as an open task.
  const isLater = outcome.moves.some(({ deed }) => ANSWERS_LATER.test(deed?.toDo ?? ''));
  const isOnlyDoing =
    codeOf(outcome) === 'en' && (isLater || outcome.sentence.words.length <= 6) && scope.left.has(outcome);
  const text = isOnlyDoing ? asked(task, [first], scope) : withReply(task, first, scope);
  return { ...fact(text, sources, worth, false), isPair: true };
}

/** Asked out of politeness, or step by step by whoever serves: the answer matters, if at all, in what comes of it. */
const OF_SERVICE =
  /(?<!\p{L})(?:would you (?:like|care for|prefer)|do you mind if|do you need (?:any )?help|anything else|can i (?:help|get you)|have a look|is (?:this|that|the) (?:seat|chair|table|place) (?:taken|free)|may i (?:see|have|come|take)|excuse me)(?!\p{L})/u;

/** A figure or a refusal is an answer to keep. A question without content that opens a talk of several days is not. */
function pairWorth(first: Reading, outcome: Reading, { turns, answered }: TaskScope): number {
  if (answered.refused.has(outcome.sentence.utterance) || OF_SERVICE.test(first.folded)) return 0.4;
  if (/\p{N}/u.test(outcome.sentence.text) || (outcome.refuses && outcome.sentence.words.length > 4)) return 1.5;
  if (first.index >= 3) return 1.3;
  if (first.sentence.stems.length >= 3) return 1.6;
  return isOfSeveralDays(turns) ? 0.4 : 1.4;
}

/** Uses the words of whoever did it if they tell what was done, else "Nora sent the file". */
function doneFact(
  { deed, deedWhen, when, doer, readings }: Task,
  outcome: Reading,
  { limit, turns, answered }: TaskScope,
): Fact | null {
  // "Can I pay 200 now and the rest on the 20th?" – "Sent 200": a part of it.
  const isPart = deed?.did?.includes(' and ') && deedWhen !== null && deedWhen.date > outcome.sentence.utterance.day;
  // "Checked: it is 85 and takes ten days"
  const isNews = FIGURE.test(outcome.sentence.text) && outcome.sentence.stems.length >= 3;
  const isClear = deed?.did && doer && !deed.isVague && !deed.pointsBack && !isPart && !isNews;
  if (isClear && !isOfSeveralDays(turns)) {
    const did = withoutWords(withoutWords(withoutReceiver(deed.did ?? '', doer.name), deedWhen), when);
    return fact(asSentence(`${doer.name} ${did}`), readings, 1.7, false);
  }
  const isTelling = outcome.sentence.stems.length >= 3 && !isReplyOnly(outcome) && !answered.fragments.has(outcome);
  const sources = [...new Set([...readings, outcome])];
  return isTelling ? fact(toldWhole(outcome, turns, limit), sources, 1.7, false) : null;
}

/** An answer comes soon after its question, or takes up a word of it. */
function isPair({ firstTurn, lastTurn }: Task, first: Reading, outcome: Reading): boolean {
  if (outcome.sentence.isQuestion && !outcome.accepts && !outcome.refuses) return false;
  return lastTurn - firstTurn <= 2 || isAbout(new Set(first.sentence.stems), outcome.sentence.stems);
}

/** Who answers the same day doesn't answer again on the next. */
function isAnsweredBefore({ sentence: { utterance } }: Reading, outcome: Reading, turns: Turn[]): boolean {
  const { speaker, day } = outcome.sentence.utterance;
  if (day === utterance.day) return false;
  const later = turns.slice(turns.findIndex(turn => turn.utterance === utterance) + 1);
  return later.some(turn => turn.utterance.day === utterance.day && turn.utterance.speaker === speaker);
}

/** Two words of praise are no news. In English, the tagger judges that. */
function saysEnough({ lexicon, sentence: { stems, text } }: Reading): boolean {
  return lexicon.code === 'en' || stems.length >= 2 || /\p{N}/u.test(text);
}

/** "Will do." says nothing without what it answers. */
function isReplyOnly({ accepts, isDone, refuses, sentence: { text, words, stems }, tokens }: Reading): boolean {
  // "15 is not possible"
  if (refuses && FIGURE.test(text)) return false;
  // "I sent the lease", "invoice paid"
  if (isDone && !accepts && !refuses && tokens?.some(({ pos }) => pos === 'NOUN')) return false;
  // "Please do not write to me again" is no mere "no".
  return (accepts || isDone || refuses) && (words.length <= 4 || (stems.length <= 1 && !(refuses && words.length > 5)));
}
