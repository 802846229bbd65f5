import type { Lexicon } from '../languages/lexicon.ts';
import { asked, replied, withReply } from './answers.ts';
import { contextOf } from './context.ts';
import { type Fact, type FactScope, fact } from './fact.ts';
import { phrase, quoted, quotedBeside, quotedFrom, saysLittle, withMatter } from './phrases.ts';
import { withTaskWeekdays, withWeekdays } from './range.ts';
import type { Turn } from './reading.ts';
import { isForOther, isOnlyDay, settledBy } from './replies.ts';
import { awaitsAnswer, questionOf, type Task } from './tasks.ts';
import { codeOf, readingsOf, toldFurther, toldWhole } from './telling.ts';
import { asSentence, withDay, withoutReceiver } from './text.ts';
import type { Reading } from './types.ts';

/** What is left to do, or to answer, as a sentence of the summary. */
export function openFact(task: Task, scope: FactScope): Fact | null {
  const { limit, turns } = scope;
  const { readings, deed, doer, asker, kind, isAccepted } = task;
  const [first] = readings;
  if (!first) return null;
  if (awaitsAnswer(task)) return fact(asked(task, [questionOf(task) ?? first], scope), readings, 2.4, true);
  if (kind === 'proposal')
    return fact(
      agreedDay(task, first, limit) ?? withReply(task, first, scope),
      readings.flatMap(reading => readingsOf(reading, turns)),
      3,
      true,
    );
  if (!deed || !doer || deed.isRough) return quotedFact(task, first, { limit, turns });
  const isUnclear = deed.isVague || deed.pointsBack === true;
  const context = isUnclear ? contextOf(task, turns) : null;
  if (context === first) return fact(toldWhole(first, turns, limit), readings, 2.8, true);
  const behind = context ? ` (${quotedBeside(context, 90)})` : '';
  const sources = context ? [...readings, context] : readings;
  const isTaken = kind !== 'request' || isAccepted || asker.name === doer.name;
  // In a language without a tagger, "will send it («…»)" is quoted instead.
  if (context && codeOf(first) !== 'en') {
    const alone = { text: toldWhole(first, turns, limit), context };
    return { ...fact(inTurn(context, first, turns, limit), [context, first], 2.8, true), alone };
  }
  const will = deed.will && dated(withDay(deed.will, task.deedWhen, task.when), task, first);
  if (isTaken && will && (!isUnclear || context)) {
    const words = codeOf(first) === 'en' ? withTaskWeekdays(will, task) : will;
    const doing = { doer: doer.name, will: `${words}${behind}` };
    const told = fact(asSentence(`${doer.name} ${doing.will}`), sources, 3, true);
    return { ...told, doing, ...(context && { beside: { context, doing: { ...doing, will: words } } }) };
  }
  if (!isTaken && codeOf(first) === 'en' && (!isUnclear || context)) {
    const wanted = withTaskWeekdays(oneself(withoutReceiver(deed.toDo, asker.name), asker.name), task);
    const request = `${asker.name} asks ${doer.name} to ${wanted}${matterOf(first, wanted)}${behind}`;
    const otherwise = consequenceOf(first, turns);
    const report = otherwise && toldFurther(otherwise);
    const threat = report ? `; ${report}` : otherwise ? ` (${quoted(otherwise.sentence, limit)})` : '';
    return fact(asSentence(`${request}${threat}`), otherwise ? [...sources, otherwise] : sources, 3, true);
  }
  return fact(requested(task, first, limit) ?? toldWhole(first, turns, limit), [first], 2.6, true);
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/**
 * "Callum and Mia agree on Wednesday 14 October at 11:00 (“Could we come for a viewing this week?”)."; only between two
 * people in English.
 */
function agreedDay({ when, readings }: Task, first: Reading, limit: number): string | null {
  const { speaker, addressee } = first.sentence.utterance;
  if (codeOf(first) !== 'en' || !when || addressee === null || first.sentence.stems.length === 0) return null;
  const day = `${DAY.format(new Date(when.date))}${when.time ? ` at ${when.time}` : ''}`;
  const isMoved = isForOther(first.when, when);
  const settled = isMoved || !saysLittle(first) ? undefined : settledBy(readings);
  const said = settled ? quotedFrom(settled, limit) : withMatter(first, limit);
  return asSentence(`${speaker} and ${addressee} agree on ${day} (${isMoved ? 'at first: ' : ''}${said})`);
}

/** "Call me back, it's about the auction" */
function matterOf({ folded }: Reading, wanted: string): string {
  const [, matter] = /(?<!\p{L})(?:it is|it's|this is) about (the [\p{L}\p{N} -]{3,40})[.!]?$/u.exec(folded) ?? [];
  return matter && /^(?:call|ring|phone)(?= |$)/.test(wanted) && !wanted.includes(' about ') ? ` about ${matter}` : '';
}

const FINITE =
  /^(?:will|would|can|could|may|might|must|shall|should|is|are|was|were|has|have|had|does|do|did)(?:n't)?$/;

/** "Katrin asks Lena to call them": a sentence doesn't say a name twice. */
function oneself(task: string, name: string): string {
  const words = task.split(' ');
  const at = words.indexOf(name);
  if (at < 0) return task;
  // "Katrin asks Lena to call back": whom, goes without saying.
  if (at === 1 && /^(?:call|ring|phone)$/.test(words[0] ?? '')) return words.toSpliced(at, 1).join(' ');
  // "A blurb they can forward"
  return words.with(at, FINITE.test(words[at + 1] ?? '') ? 'they' : 'them').join(' ');
}

/** As it was said, with the question that it answers or with the answer that took it up. */
function quotedFact(task: Task, first: Reading, { limit, turns }: Pick<FactScope, 'limit' | 'turns'>): Fact {
  const context = !task.deed && isOnlyDay(first) ? contextOf(task, turns) : null;
  if (context && context !== first) return fact(inTurn(context, first, turns, limit), [context, first], 2.6, true);
  const answer = task.readings.find(
    ({ sentence, isSmallTalk }) => sentence.utterance.speaker !== first.sentence.utterance.speaker && !isSmallTalk,
  );
  if (task.deed || !answer) {
    const later = task.readings.find(({ when, index }) => index > first.index && when?.words === task.when?.words);
    const isMoved = later && task.when && first.when?.date !== task.when.date && codeOf(first) === 'en';
    const words = task.when?.words.replace(/^(?:By|Until|Before|On|At|This|Next)(?= )/u, word => word.toLowerCase());
    const day = isMoved ? withWeekdays(` (${words})`, later.sentence.utterance.day) : '';
    const whole = toldWhole(first, turns, limit);
    return fact(day ? whole.replace(/\.?$/u, `${day}.`) : whole, isMoved ? [first, later] : [first], 2.6, true);
  }
  const sources = [first, ...readingsOf(answer, turns)];
  return fact(
    `${asked(task, [first], { limit, turns, isOpen: true })} ${replied(answer, turns, limit)}`,
    sources,
    2.6,
    true,
  );
}

const OTHERWISE = /^(?:otherwise|or else|if not)(?!\p{L})/u;

/** "I need it by Tuesday. Otherwise we leave." */
function consequenceOf(first: Reading, turns: Turn[]): Reading | undefined {
  return readingsOf(first, turns).find(({ index, folded }) => index === first.index + 1 && OTHERWISE.test(folded));
}

/** Adds the day that a later turn gave, if the language allows it at the end. */
function dated(will: string, { when, deedWhen }: Task, { lexicon }: Reading): string {
  const mayFollow = lexicon.grammar?.verbLast === false && !lexicon.grammar.doesLast;
  if (!when || deedWhen || !mayFollow || will.toLowerCase().includes(when.words.toLowerCase())) return will;
  return `${will} ${onDay(when.words, lexicon)}`;
}

/** The form of "środa" after a verb: "w środę". */
function onDay(words: string, { calendar: { weekdays, on }, code }: Lexicon): string {
  const said = code === 'en' ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  const day = weekdays.findIndex(weekday => weekday.exec(said)?.index === 0);
  const weekday = weekdays[day]?.exec(said)?.[0] ?? '';
  return on[day] && weekday ? `${on[day]}${said.slice(weekday.length)}` : said;
}

/** A promise in the speaker's words, preceded by the sentence that it refers to. */
function inTurn(context: Reading, first: Reading, turns: Turn[], limit: number): string {
  const { speaker } = first.sentence.utterance;
  if (context.sentence.utterance.speaker === speaker)
    return [context, first].map(one => toldWhole(one, turns, limit)).join(' ');
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
