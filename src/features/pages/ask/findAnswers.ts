import { isDeadline } from '../../../clients/summarizer/days/findWhen.ts';
import { saysNews } from '../../../clients/summarizer/languages/words.ts';
import { CLOCK, MONEY, SHARE } from '../../../lib/figures.ts';
import { oncePer } from '../../../lib/once.ts';
import { subtractDays } from '../../../lib/timezones.ts';
import { splitSearchWords } from '../../digests/rules.ts';
import { isLivePromise } from '../../promises/rules.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import { type Coverage, createCoverageScorer, scoreWordLikeness } from './likeness.ts';
import {
  addFollowingTurns,
  ENDS_WITH_QUESTION,
  groupTurns,
  NUMBER,
  type Passage,
  type PassageMessage,
  type Ranked,
  readWhen,
  type Turn,
  turnsAfter,
} from './passagesOf.ts';
import { isSimilarName } from './people.ts';
import { saysMeet } from './rules.ts';
import type { People, Question, QuestionKind } from './schema.ts';

export type AnswerContext = { question: Question; people: People; today: string; timezone: string };
/** `others`: further passages for a model: the best and newest of the people named, and those with a word of the question. */
export type FoundAnswers = { answers: Ranked[]; mentions: Ranked[]; others: Ranked[] };

const MAX_ANSWERS = 9;
const MAX_MENTIONS = 3;
/** Limit of answers, mentions and others together. */
const MAX_IN_ALL = 24;
const MAX_OF_PEOPLE = 16;
const NOBODY: People = { wordsOf: new Map(), words: [], groupIds: [], namesOf: new Map() };
/** The share of the question's words, by their weight, that a passage must have to be offered as an answer. */
const MIN_COVERAGE = 0.4;
/** The same for a question about people that asks for no day, place or number. */
const MIN_COVERAGE_OF_PEOPLE = 1 / 3;
const FULL_COVERAGE = 0.7;
/** Added to the score of a passage that has what the question's kind asks for; the second if that is certain. */
const KIND_BONUS = 0.25;
const CERTAIN_BONUS = 1;
/** An answer is no worse than this share of the best one. */
const MIN_SHARE_OF_BEST = 0.45;

/**
 * The passages that answer a question, the best first: they are of the people named, have the words that it is about, and
 * what its kind asks for, such as a day or a price. Where none does, those that only mention it.
 */
export function findAnswers(passages: readonly Passage[], context: AnswerContext): FoundAnswers {
  const turns = groupTurns(passages);
  const judged = scorePassages(passages, turns, context);
  const answers = judged.filter(({ isAnswer }) => isAnswer);
  const least = MIN_SHARE_OF_BEST * (answers[0]?.passage.score ?? 0);
  const good = answers.filter(({ passage }) => passage.score >= least);
  const asText = good.length === 0 ? toTextQuestion(context) : undefined;
  const ofText = asText && findAnswers(passages, { ...context, question: asText });
  if (ofText && ofText.answers.length > 0) return ofText;
  const ofAll = good.length === 0 ? toQuestionOfAll(context) : undefined;
  const owed = ofAll && findAnswers(passages, { ...context, question: ofAll });
  if (owed && owed.answers.length > 0) return { ...owed, answers: [], mentions: owed.answers.slice(0, MAX_MENTIONS) };
  if (ofText) return ofText;
  const first = good.length > 0 ? good : judged.filter(({ isMention }) => isMention);
  const shown = toAnswers(first, turns, good.length > 0 ? MAX_ANSWERS : MAX_MENTIONS);
  const hasNames = context.people.words.length > 0;
  const ofPeople = hasNames ? sortByScore(judged) : [];
  const asWords: AnswerContext = { ...context, people: NOBODY, question: { ...context.question, kind: 'any' } };
  const byWords = hasNames ? scorePassages(passages, turns, asWords) : judged;
  const withWords = sortByScore(byWords.filter(({ passage }) => passage.hits.length > 0));
  const all = [...first, ...ofPeople.slice(0, MAX_OF_PEOPLE), ...withWords, ...ofPeople];
  const others = toAnswers(all, turns, MAX_IN_ALL).slice(shown.length);
  return good.length > 0 ? { answers: shown, mentions: [], others } : { answers: [], mentions: shown, others };
}

const sortByScore = (judged: readonly Judged[]) =>
  judged.toSorted(({ passage: a }, { passage: b }) => b.score - a.score || b.day.localeCompare(a.day));

/** Questions of these kinds name no topic: no other word is looked for. */
const KINDS_WITHOUT_TOPIC: readonly QuestionKind[] = ['waiting', 'unanswered', 'threat', 'agenda'];
/** Kinds that are answered by the words of a passage, whoever wrote them. */
const OF_TEXT: readonly QuestionKind[] = ['any', 'when', 'where', 'howMuch', 'price'];
export const isOfText = (kind: QuestionKind) => OF_TEXT.includes(kind);
const SOONEST_FIRST: readonly QuestionKind[] = ['meeting', 'agenda', 'mine', 'theirs'];
/** Question kinds that, with only a person's name, need a certain number or place in the passage. */
const KINDS_NEEDING_CERTAINTY: readonly QuestionKind[] = ['when', 'where', 'howMuch', 'price', 'offer', 'meeting'];

/** The question as one about words alone, for when no row answers it; undefined if words can't answer it either. */
function toTextQuestion({ question, people }: AnswerContext): Question | undefined {
  const { kind, words, cue } = question;
  const isBare = words.every(word => people.words.includes(word));
  // "Who owes me money?" is not answered by what else is said about money.
  const isOfMoney = words.every(word => scoreWordLikeness(PAYMENT, word) > 0);
  if (isBare || isOfMoney || isOfText(kind) || KINDS_WITHOUT_TOPIC.includes(kind)) return undefined;
  return { ...question, kind: kind === 'meeting' ? 'when' : 'any', words: [...words, ...cue], cue: [] };
}

/** "What must I still send Claire?" as "What do I owe Claire?", whatever it is. */
function toQuestionOfAll({ question, people }: AnswerContext): Question | undefined {
  const names = question.words.filter(word => people.words.includes(word));
  const isOwed = question.kind === 'mine' || question.kind === 'theirs';
  return isOwed && names.length > 0 && names.length < question.words.length ? { ...question, words: names } : undefined;
}

/** Evidence that a passage answers the question's kind, and the moment that rows are sorted by. */
type AnswerEvidence = { at: string; isSure: boolean };
type Turns = ReadonlyMap<string, readonly Turn[]>;
/** What a question is about: names of people, and other words, of which a passage must have a share. */
type Topic = { names: string[]; terms: string[]; minCoverage: number };
type Scored = ReturnType<typeof scorePassage>;
type Judged = { passage: Ranked; isAnswer: boolean; isMention: boolean; at: string };

/** Scores the passages of the people named, best first; if there are none, those of their conversations, as no answers. */
function scorePassages(passages: readonly Passage[], turns: Turns, context: AnswerContext): Judged[] {
  const { question, people } = context;
  const topic = topicOf(context);
  const passagesWithWords = passages
    .filter(passage => isOfDays(passage, question))
    .map(passage => ({ passage, words: passageWords(passage) }));
  const namesThem = createPeopleTest(topic.names, context);
  const ofAllNamed = passagesWithWords.filter(({ passage, words }) => namesThem(passage, words));
  const mayAnswer = ofAllNamed.length > 0;
  const compared = mayAnswer ? ofAllNamed : passagesWithWords.filter(({ passage }) => people.wordsOf.has(passage.dialogId));
  const coverageOf = createCoverageScorer(passagesWithWords, topic.terms);
  const judged = compared.map(({ passage, words }) => {
    const scored = scorePassage(passage, coverageOf(words), { turns, topic, ...context });
    const verdict = mayAnswer ? judgePassage(scored, topic, context) : { isAnswer: false, isMention: false };
    return { passage: scored.passage, ...verdict, at: scored.fit?.at ?? passage.day };
  });
  const order = SOONEST_FIRST.includes(question.kind) ? 1 : -1;
  return judged.toSorted((a, b) => b.passage.score - a.passage.score || order * a.at.localeCompare(b.at));
}

function topicOf({ question, people }: AnswerContext): Topic {
  const hasPeople = people.words.length > 0;
  const words = KINDS_WITHOUT_TOPIC.includes(question.kind) ? people.words : question.words;
  // In a question about a meeting without names, the word for the meeting is part of the topic.
  const cue = hasPeople || words.length === 0 ? [] : question.cue;
  return {
    names: words.filter(word => people.words.includes(word)),
    terms: [...words, ...cue].filter(word => !people.words.includes(word)),
    minCoverage: question.kind === 'any' && hasPeople ? MIN_COVERAGE_OF_PEOPLE : MIN_COVERAGE,
  };
}

/** Scores a passage by its share of the question's words and by what the kind asks for, as later messages changed it. */
function scorePassage(
  original: Passage,
  { covered, hits }: Coverage,
  context: AnswerContext & { topic: Topic; turns: Turns },
) {
  const { kind } = context.question;
  const isRelevant = covered >= context.topic.minCoverage;
  const current = CHANGE_FINDERS[kind]?.(original, context.turns, context) ?? original;
  const isCompared = isRelevant || context.people.wordsOf.has(original.dialogId);
  const fit = isCompared ? MATCHERS[kind](kind === 'price' ? original : current, context) : undefined;
  const passage: Ranked = { ...current, hits, score: covered + (fit ? KIND_BONUS : 0) + (fit?.isSure ? CERTAIN_BONUS : 0) };
  return { found: original, passage, isRelevant, covered, fit };
}

function judgePassage(
  { found: original, passage, isRelevant, covered, fit }: Scored,
  { terms }: Topic,
  context: AnswerContext,
) {
  const { kind } = context.question;
  const isSure = fit?.isSure === true;
  const isFitting = terms.length === 0 && KINDS_NEEDING_CERTAINTY.includes(kind) ? isSure : fit !== undefined;
  const isAllSaid = terms.length > 0 && isOfText(kind) && kind !== 'price' && covered >= FULL_COVERAGE;
  const isInOtherWords = !isRelevant && mayBeInOtherWords(original, context);
  return {
    isAnswer: isRelevant ? isFitting || isAllSaid : isInOtherWords && isSure,
    isMention: passage.hits.length > 0 || (fit !== undefined && (isRelevant || isInOtherWords)),
  };
}

/** For questions about past words: whether a passage is from its days, or its promise due on them. */
function isOfDays({ day, promise }: Passage, { kind, days }: Question): boolean {
  if (!days?.isSure || !isOfText(kind)) return true;
  const within = (date: string) => date >= days.since && date <= days.until;
  return within(day) || (promise?.dueDate != null && within(promise.dueDate));
}

/** Whether a passage is of these people: of their conversation; only what a group says may name them instead. */
function createPeopleTest(names: readonly string[], { people }: AnswerContext) {
  const isLikeName = new Map(
    names.map(name => [
      name,
      oncePer(
        (candidate: string) =>
          candidate === name || people.namesOf.get(name)?.has(candidate) || isSimilarName(name, candidate),
      ),
    ]),
  );
  return ({ dialogId, digest }: Passage, words: readonly string[]) => {
    const namingWords = people.wordsOf.get(dialogId);
    const isOpen = namingWords !== undefined || people.words.length === 0 || (digest && digest.dialog.peerType !== 'user');
    return isOpen && names.every(name => namingWords?.includes(name) || words.some(one => isLikeName.get(name)?.(one)));
  };
}

/** The topic may be worded in the language of the people named; places and reasons of meetings in any. */
function mayBeInOtherWords({ dialogId, digest }: Passage, { question, people }: AnswerContext): boolean {
  const { kind, language } = question;
  const isForeign = digest !== undefined && digest.structured.language !== language;
  return people.wordsOf.has(dialogId) && (kind === 'meeting' || (isForeign && KINDS_NEEDING_CERTAINTY.includes(kind)));
}

type Matcher = (passage: Passage, context: AnswerContext) => AnswerEvidence | undefined;

/** By kind: finds the later passage that changed what this one says. */
const CHANGE_FINDERS: {
  [kind in QuestionKind]?: (original: Passage, turns: Turns, context: AnswerContext) => Passage | undefined;
} = { meeting: findReplacement, when: findReplacement, price: laterPriceOf };

const MATCHERS: Record<QuestionKind, Matcher> = {
  any: passage => toEvidence(passage),
  where: (passage, context) => {
    const isPlace = passage.lines.some(line => line.includes(PIN));
    return toEvidence(passage, isPlace || (!passage.promise && findAppointmentEvidence(passage, context)?.isSure));
  },
  when: (passage, context) => {
    const isSaid = passage.said.some(said => CLOCK.test(said.words) || readWhen(said, passage, context));
    return passage.promise?.dueDate || isSaid ? toEvidence(passage) : undefined;
  },
  howMuch: (passage, { question }) => {
    const texts = passageTexts(passage).map(text => removeAskedNumbers(text, question));
    return texts.some(text => NUMBER.test(text)) ? toEvidence(passage, texts.some(isPrice)) : undefined;
  },
  price: (passage, context) => {
    const isSaid = passageTexts(passage).some(text => isPrice(removeAskedNumbers(text, context.question)));
    return isSaid || pricesFor(passage, context).length > 0 ? toEvidence(passage, isSaid) : undefined;
  },
  offer: (passage, { question }) => {
    const own = passage.said.filter(
      ({ fromUser, words }) => fromUser === question.isByUser && !ENDS_WITH_QUESTION.test(words),
    );
    const texts = own.map(({ words }) => removeAskedNumbers(words, question));
    return texts.some(text => isPrice(text) || SHARE.test(text) || DECIMAL.test(text))
      ? toEvidence(passage, true)
      : undefined;
  },
  meeting: findAppointmentEvidence,
  agenda: (passage, context) => {
    const fit = findAppointmentEvidence(passage, context);
    return fit && { ...fit, isSure: true };
  },
  mine: findDebtEvidence,
  theirs: findDebtEvidence,
  waiting: ({ wait }) => wait && { at: wait.askedAt.toISOString(), isSure: true },
  threat: passage =>
    passage.said.some(({ fromUser, words }) => !fromUser && hasWord(words, CANCEL)) ? toEvidence(passage) : undefined,
  unanswered: passage => {
    const { said, digest } = passage;
    const last = said.at(-1);
    const isLast = last && digest?.lastMessageAt && last.at >= digest.lastMessageAt && !digest.isCovered;
    return isLast && last.fromUser && (ENDS_WITH_QUESTION.test(last.words) || last.file) ? toEvidence(passage) : undefined;
  },
};

const NO_DAY = '9999';
const toEvidence = ({ day }: Passage, isSure = false): AnswerEvidence => ({ at: day, isSure });
const passageTexts = ({ said, lines }: Passage) => (said.length > 0 ? said.map(({ words }) => words) : lines);
const isPrice = (text: string) => MONEY.test(text) || SUM.test(text);
const hasWord = (text: string, word: string) => splitSearchWords(text).some(said => scoreWordLikeness(word, said) > 0);

/** A place, as the messenger sends it. */
const PIN = '📍';
/** Amounts such as 5.500 and 0,84, but no dates and no times. */
const SUM = /(?<![\d.,:/])\d{1,3}[.,]\d{2,3}(?![.,:/]|\d)/u;
/** Decimals such as 9.5, unless a unit follows. */
const DECIMAL = /(?<![\d.,:/±])\d{1,3}[.,]\d(?![\d:/]|[.,]\d|\s?[\p{L}°℃])/u;
/** Topics that are matched by their words in every language. */
export const CANCEL = 'cancel';
const PAYMENT = 'payment';

/** Numbers beside the one that was asked about: "For 100 I can give you 35 each". */
function pricesFor(passage: Passage, { question }: AnswerContext): number[] {
  const own = passageTexts(passage).map(text => [text, removeAskedNumbers(text, question)] as const);
  return own.flatMap(([text, left]) => (text === left || isPrice(left) ? [] : numbersIn(left)));
}

const numbersIn = (text: string) => (text.match(/\p{Nd}+/gu) ?? []).map(Number).filter(number => number > 0);

/** Where a bargain ended: the last later passage that names a number near one of these prices. */
function laterPriceOf(original: Passage, turns: Turns, context: AnswerContext): Passage | undefined {
  const prices = pricesFor(original, context);
  if (prices.length === 0) return undefined;
  const isNear = (number: number) => prices.some(price => Math.abs(number - price) <= price * BARGAIN);
  return turnsAfter(original, turns.get(original.dialogId)).findLast(({ said }) => numbersIn(said.words).some(isNear))
    ?.passage;
}

/** How far a counter-offer may be from a price, as a share of it. */
const BARGAIN = 0.25;

/** Removes the numbers of the question: they are no answer to it. */
function removeAskedNumbers(text: string, { typed }: Question): string {
  const askedNumbers: string[] = typed.match(/\p{Nd}+/gu) ?? [];
  return text.replace(/\p{Nd}+/gu, number => (askedNumbers.includes(number) ? '' : number));
}

const isAhead = (day: string, { question: { days }, today }: AnswerContext) =>
  days ? day >= days.since && day <= days.until : day >= today;

/** Finds plans for a future day: a promise due then, or an hour; for a meeting, the day suffices. */
function findAppointmentEvidence(passage: Passage, context: AnswerContext): AnswerEvidence | undefined {
  const { question, people } = context;
  const { promise, digest, lines } = passage;
  const isMeeting = question.kind === 'meeting';
  if (promise) {
    const { dueDate, dueTime } = promise;
    const isOn = isOpen(promise) && dueDate && (!isMeeting || promise.kind === 'appointment') && isAhead(dueDate, context);
    return isOn ? { at: `${dueDate} ${dueTime ?? '24:00'}`, isSure: true } : undefined;
  }
  const isSaid = saysMeet(splitSearchWords(lines.join(' ')));
  const language = digest?.structured.language ?? 'und';
  const when = passage.said
    .filter(({ words }) => NUMBER.test(words) || (isMeeting && question.days))
    .map(said => ({ words: said.words, when: readWhen(said, passage, context) }))
    .findLast(
      ({ words, when }) => when && isAhead(when.date, context) && !(isMeeting && isDeadline(words, when.words, language)),
    )?.when;
  const isDay = isMeeting && people.words.length > 0 && (isSaid || question.days);
  return when && (when.time || isDay) ? { at: `${when.date} ${when.time ?? '24:00'}`, isSure: isSaid } : undefined;
}

const isOpen = (promise: SourcedPromise) => isLivePromise(promise) && !promise.isDoubtful;

/** Later words that move an appointment to another date or hour. */
function findReplacement(original: Passage, turns: Turns, context: AnswerContext): Passage | undefined {
  const dates = original.said.map(said => readWhen(said, original, context)?.words ?? '');
  const figures = dates.flatMap(words => words.match(/\p{Nd}[\p{Nd}.,:/]+\p{Nd}/gu) ?? []);
  if (figures.length === 0) return undefined;
  return turnsAfter(original, turns.get(original.dialogId)).findLast(({ said, passage }) => {
    const others = figures.reduce((left, figure) => left.replace(figure, ''), said.words);
    return others !== said.words && readWhen({ ...said, words: others }, passage, context) !== null;
  })?.passage;
}

/** Finds what one side owes: an open promise, or, on a topic, a message that says they will do it by a day. */
function findDebtEvidence(passage: Passage, context: AnswerContext): AnswerEvidence | undefined {
  const { question, people, today } = context;
  const { kind, days, words: questionWords } = question;
  const { promise, digest } = passage;
  if (promise) {
    const { direction, dueDate } = promise;
    const isOfSide = direction === kind || direction === 'unassigned';
    if (!isOpen(promise) || !isOfSide || (days && !(dueDate && isAhead(dueDate, context)))) return undefined;
    return { at: dueDate ?? NO_DAY, isSure: direction === kind && !(dueDate && dueDate < today) };
  }
  const language = digest?.structured.language ?? 'und';
  const isByOwner = ({ fromUser, words }: PassageMessage) =>
    fromUser === (kind === 'mine') &&
    !ENDS_WITH_QUESTION.test(words) &&
    !saysNews(words, language) &&
    (questionWords.some(word => hasWord(words, word)) || (kind === 'mine' && people.words.length > 0));
  const isDue = (day: string) => (days ? isAhead(day, context) : day >= subtractDays(today, PAYMENT_GRACE_DAYS));
  const dates = passage.said.filter(isByOwner).map(said => readWhen(said, passage, context)?.date);
  const date = dates.find(one => one && isDue(one));
  return date ? { at: date, isSure: false } : undefined;
}

/** Days for which a payment may still be owed. */
const PAYMENT_GRACE_DAYS = 7;

/** The words of a passage, and of whom it is with. */
function passageWords({ lines, digest, promise }: Passage): string[] {
  const { peerName = '' } = promise ?? digest?.dialog ?? {};
  return [...new Set(splitSearchWords(`${lines.join(' ')} ${peerName} ${promise?.who ?? ''}`))];
}

/** Answers with the words that follow them; drops those whose messages are all shown already. */
function toAnswers(judged: readonly Judged[], turns: Turns, most: number): Ranked[] {
  const shown = new Set<string>();
  const keysOf = ({ dialogId, messageIds, lines }: Passage) =>
    (messageIds.length > 0 ? messageIds : lines).map(key => `${dialogId} ${key}`);
  return judged
    .values()
    .filter(({ passage }) => keysOf(passage).some(key => !shown.has(key)))
    .map(({ passage }) => {
      const whole = addFollowingTurns(passage, turns.get(passage.dialogId));
      for (const key of keysOf(whole)) shown.add(key);
      return whole;
    })
    .take(most)
    .toArray();
}
