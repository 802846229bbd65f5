import { CLOCK, MONEY, SHARE } from '../../../lib/figures.ts';
import { oncePer } from '../../../lib/once.ts';
import { splitSearchWords } from '../../digests/rules.ts';
import { isLivePromise } from '../../promises/rules.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import { isSimilarName } from './findNamedDialogs.ts';
import {
  addFollowingTurns,
  ENDS_WITH_QUESTION,
  groupTurns,
  languageOf,
  NUMBER,
  type Passage,
  type PassageMessage,
  type Ranked,
  readWhen,
  type Turn,
  turnsAfter,
} from './passages.ts';
import { saysMeet } from './rules.ts';
import type { People, Question, QuestionKind } from './schema.ts';
import { type Coverage, createCoverageScorer, scoreWordLikeness } from './scoreWords.ts';

export type AnswerContext = { question: Question; people: People; today: string; timezone: string };
/** `others`, for a model to read: passages of the people named, or else of the conversations shown, and those that share a word. */
export type FoundAnswers = { answers: Ranked[]; mentions: Ranked[]; others: Ranked[] };

const MAX_ANSWERS = 9;
/** The same where all rows are asked for, such as what is due on a day. */
const MAX_ROWS = 20;
const MAX_MENTIONS = 3;
/** Limit of answers, mentions and others together. */
const MAX_IN_ALL = 60;
const NOBODY: People = { wordsOf: new Map(), words: [], namesOf: new Map() };
/** The share of the question's words, by their weight, that a passage must have to be offered as an answer. */
const MIN_COVERAGE = 0.4;
/** The same for a question about people that asks for no day, place or number. */
const MIN_COVERAGE_OF_PEOPLE = 1 / 3;
const FULL_COVERAGE = 0.7;
/** Added to the score of a passage that has what the question's kind asks for; the second if that is certain. */
const KIND_BONUS = 0.25;
const CERTAIN_BONUS = 1;

/**
 * The passages that answer a question, the best first: they are of the people named, have the words that it is about, and
 * what its kind asks for, such as a day or a price. Where none does, the question is read in other ways; at last, those that
 * only mention it are found.
 */
export function findAnswers(passages: readonly Passage[], context: AnswerContext): FoundAnswers {
  const asAsked = findAsAsked(passages, context);
  if (asAsked.answers.length > 0) return asAsked;
  const asText = toTextQuestion(context);
  const ofText = asText && findAsAsked(passages, { ...context, question: asText });
  if (ofText && ofText.answers.length > 0) return ofText;
  const mentioned = ofText ?? asAsked;
  const ofAll = toQuestionOfAll(context);
  if (!ofAll || (context.people.words.length === 0 && mentioned.mentions.length > 0)) return mentioned;
  const { answers, others } = findAsAsked(passages, { ...context, question: ofAll });
  if (answers.length === 0) return mentioned;
  return { answers: [], mentions: answers.slice(0, MAX_MENTIONS), others: [...answers.slice(MAX_MENTIONS), ...others] };
}

function findAsAsked(passages: readonly Passage[], context: AnswerContext): FoundAnswers {
  const turns = groupTurns(passages);
  const judged = judgePassages(passages, turns, context);
  const answers = judged.filter(({ isAnswer }) => isAnswer);
  const hasAnswer = answers.length > 0;
  const first = hasAnswer ? withLatestWords(answers, judged) : sortByScore(judged.filter(({ isMention }) => isMention));
  const most = isOfPromises(context.question.kind) ? MAX_ROWS : MAX_ANSWERS;
  const shown = toAnswers(first, turns, hasAnswer ? most : MAX_MENTIONS);
  const hasNames = context.people.words.length > 0;
  const isShown = ({ passage }: JudgedPassage) => shown.some(({ dialogId }) => dialogId === passage.dialogId);
  const ofConversations = sortByScore(hasNames ? judged : judged.filter(isShown));
  const asWords: AnswerContext = { ...context, people: NOBODY, question: { ...context.question, kind: 'any' } };
  const byWords = hasNames ? judgePassages(passages, turns, asWords) : judged;
  const withWords = sortByScore(byWords.filter(({ passage }) => passage.hits.length > 0));
  const all = [...first, ...ofConversations, ...withWords];
  const others = toAnswers(all, turns, MAX_IN_ALL).slice(shown.length);
  return hasAnswer ? { answers: shown, mentions: [], others } : { answers: [], mentions: shown, others };
}

/** Each answer, followed by the newest words on its topic in its conversation, which may have changed what it says. */
function withLatestWords(answers: readonly JudgedPassage[], judged: readonly JudgedPassage[]): JudgedPassage[] {
  const onTopic = judged.filter(({ isOnTopic }) => isOnTopic).toSorted((a, b) => b.passage.day.localeCompare(a.passage.day));
  const latestIn = oncePer((dialogId: string) => onTopic.find(({ passage }) => passage.dialogId === dialogId));
  return answers.flatMap(answer => [answer, latestIn(answer.passage.dialogId) ?? []].flat());
}

const sortByScore = (judged: readonly JudgedPassage[]) =>
  judged.toSorted(({ passage: a }, { passage: b }) => b.score - a.score || b.day.localeCompare(a.day));

/** Questions of these kinds name no topic: no other word is looked for. */
const KINDS_WITHOUT_TOPIC: readonly QuestionKind[] = ['waiting', 'unanswered', 'threat', 'agenda'];
/** Kinds that are answered by the words of a passage, whoever wrote them. */
const OF_TEXT: readonly QuestionKind[] = ['any', 'when', 'where', 'howMuch', 'price'];
export const isOfText = (kind: QuestionKind) => OF_TEXT.includes(kind);
const OF_DUE_ROWS: readonly QuestionKind[] = ['meeting', 'agenda', 'mine', 'theirs'];
/** Kinds that are answered by what is due, the soonest first. */
const isOfDueRows = (kind: QuestionKind) => OF_DUE_ROWS.includes(kind);
/** The side of the promises that kinds ask for: whom the user owes waits for the user. */
export const OWING_SIDE: Partial<Record<QuestionKind, 'mine' | 'theirs'>> = {
  mine: 'mine',
  waiting: 'mine',
  theirs: 'theirs',
  unanswered: 'theirs',
};
export const isOfPromises = (kind: QuestionKind) => isOfDueRows(kind) || kind in OWING_SIDE;
/** Kinds for which a number, a day or a place shows the answer, in whatever language its topic is said. */
const SHOWN_BY_FIGURES: readonly QuestionKind[] = ['when', 'howMuch', 'price', 'offer', 'meeting'];

/** The question as one about words alone, for when no row answers it; undefined if words can't answer it either. */
function toTextQuestion({ question, people }: AnswerContext): Question | undefined {
  const { kind, words, cue } = question;
  const isBare = words.every(word => people.words.includes(word));
  if (isBare || isOfText(kind) || KINDS_WITHOUT_TOPIC.includes(kind)) return undefined;
  return { ...question, kind: kind === 'meeting' ? 'when' : 'any', words: [...words, ...cue], cue: [] };
}

/**
 * "What must I still print for Claire?" as "What do I owe Claire?", "Who hasn't answered me?" as "Who owes me?", and "When
 * is the call with Claire?", if none is ahead, as of any day.
 */
function toQuestionOfAll({ question, people }: AnswerContext): Question | undefined {
  if (question.kind === 'meeting')
    return { ...question, kind: 'when', words: [...question.words, ...question.cue], cue: [] };
  const kind = OWING_SIDE[question.kind];
  const words = question.words.filter(word => people.words.includes(word));
  const isWider = kind !== question.kind || words.length < question.words.length;
  return kind && isWider ? { ...question, kind, words } : undefined;
}

/** Evidence that a passage answers the question's kind, and the moment that rows are sorted by. */
type AnswerEvidence = { at: string; isSure: boolean };
type Turns = ReadonlyMap<string, readonly Turn[]>;
type JudgedPassage = { passage: Ranked; isAnswer: boolean; isMention: boolean; isOnTopic: boolean; at: string };

/** Judges the passages of the people named, the best first. */
function judgePassages(passages: readonly Passage[], turns: Turns, context: AnswerContext): JudgedPassage[] {
  const { question, people } = context;
  const words = KINDS_WITHOUT_TOPIC.includes(question.kind) ? people.words : question.words;
  const names = words.filter(word => people.words.includes(word));
  const terms = words.filter(word => !people.words.includes(word));
  const passagesWithWords = passages
    .filter(passage => isOfDays(passage, context))
    .map(passage => ({ passage, words: passageWords(passage) }));
  const namesThem = createPeopleTest(names, terms.length > 0, context);
  const coverageOf = createCoverageScorer(passagesWithWords, terms);
  const judged = passagesWithWords
    .filter(({ passage, words }) => namesThem(passage, words))
    .map(({ passage, words }) =>
      judgePassage(passage, coverageOf(words), { ...context, turns, hasTopic: terms.length > 0 }),
    );
  const order = isOfDueRows(question.kind) ? 1 : -1;
  return judged.toSorted((a, b) => b.passage.score - a.passage.score || order * a.at.localeCompare(b.at));
}

/** Judges a passage by its share of the question's words and by what the kind asks for, as later messages changed it. */
function judgePassage(
  original: Passage,
  { covered, hits }: Coverage,
  context: AnswerContext & { turns: Turns; hasTopic: boolean },
): JudgedPassage {
  const { question, people, hasTopic, turns } = context;
  const { kind } = question;
  const isRelevant = covered >= (kind === 'any' && people.words.length > 0 ? MIN_COVERAGE_OF_PEOPLE : MIN_COVERAGE);
  const isMovable = kind === 'meeting' || kind === 'when';
  const current = (isMovable && findReplacement(original, turns, context)) || original;
  const fit = MATCHERS[kind](current, context);
  const isSure = fit?.isSure === true;
  const isAllSaid = hasTopic && isOfText(kind) && kind !== 'price' && covered >= FULL_COVERAGE;
  const isNamed = people.wordsOf.has(original.dialogId);
  // The people named may word the topic in their language.
  const isForeign = isNamed && ![question.language, 'und'].includes(languageOf(original));
  const isInOtherWords = !isRelevant && ((isNamed && kind === 'meeting') || (isForeign && SHOWN_BY_FIGURES.includes(kind)));
  return {
    passage: { ...current, hits, score: covered + (fit ? KIND_BONUS : 0) + (isSure ? CERTAIN_BONUS : 0) },
    isOnTopic: isRelevant && hits.length > 0,
    isAnswer: isRelevant ? fit !== undefined || isAllSaid : isInOtherWords && isSure,
    isMention: hits.length > 0 || isForeign || (fit !== undefined && (isRelevant || isInOtherWords)),
    at: fit?.at ?? current.day,
  };
}

/** For questions about past words: whether a passage is from its days, or its promise due on them. */
function isOfDays({ day, promise }: Passage, { question: { kind, days }, today }: AnswerContext): boolean {
  if (!days?.isSure || days.since > today || !isOfText(kind)) return true;
  const within = (date: string) => date >= days.since && date <= days.until;
  return within(day) || (promise?.dueDate != null && within(promise.dueDate));
}

/** Whether a passage is in these people's conversation, a promise by or to them or, about a matter, names them. */
function createPeopleTest(names: readonly string[], hasTopic: boolean, { people }: AnswerContext) {
  const isNamed = oncePer((name: string) =>
    oncePer((word: string) => word === name || people.namesOf.get(name)?.has(word) || isSimilarName(name, word)),
  );
  return ({ dialogId, promise }: Passage, words: readonly string[]) => {
    const naming = hasTopic ? words : splitSearchWords(`${promise?.who ?? ''} ${promise?.request?.who ?? ''}`);
    return names.every(name => people.wordsOf.get(dialogId)?.includes(name) || naming.some(isNamed(name)));
  };
}

type Matcher = (passage: Passage, context: AnswerContext) => AnswerEvidence | undefined;

const MATCHERS: Record<QuestionKind, Matcher> = {
  any: passage => toEvidence(passage),
  where: passage => toEvidence(passage),
  when: (passage, context) => {
    const isSaid = passage.said.some(said => CLOCK.test(said.words) || readWhen(said, passage, context));
    return passage.promise?.dueDate || isSaid ? toEvidence(passage) : undefined;
  },
  howMuch: findFigure,
  price: findFigure,
  offer: (passage, { question }) => {
    const isOffer = ({ fromUser, words }: PassageMessage) =>
      fromUser === question.isByUser && !ENDS_WITH_QUESTION.test(words) && hasSum(removeAskedNumbers(words, question));
    return passage.said.some(isOffer) ? toEvidence(passage, true) : undefined;
  },
  meeting: findAppointmentEvidence,
  agenda: findAppointmentEvidence,
  mine: findDebtEvidence,
  theirs: findDebtEvidence,
  waiting: (passage, context) => {
    if (passage.wait) return { at: passage.wait.askedAt.toISOString(), isSure: true };
    const owed = findDebtEvidence(passage, context);
    if (!owed || passage.promise?.kind === 'appointment') return undefined;
    const isDue = owed.at <= context.today;
    return { at: isDue ? owed.at : passage.day, isSure: isDue && owed.isSure };
  },
  threat: passage =>
    passage.said.some(({ fromUser, words }) => !fromUser && speaksOfCancelling(words)) ? toEvidence(passage) : undefined,
  unanswered: passage => {
    const { said, digest } = passage;
    const last = said.at(-1);
    const isLast = last && digest?.lastMessageAt && last.at >= digest.lastMessageAt && !digest.isCovered;
    return isLast && last.fromUser && (ENDS_WITH_QUESTION.test(last.words) || last.file) ? toEvidence(passage) : undefined;
  },
};

const NO_DAY = '9999';
const hasSum = (text: string) => MONEY.test(text) || SHARE.test(text);
const toEvidence = ({ day }: Passage, isSure = false): AnswerEvidence => ({ at: day, isSure });
const speaksOfCancelling = (text: string) => splitSearchWords(text).some(word => scoreWordLikeness(CANCEL, word) > 0);

/** A topic that is matched by its words in every language. */
export const CANCEL = 'cancel';

/** Finds a number, surely if it is a price: "For 100 I can give you 35 each". */
function findFigure(passage: Passage, { question }: AnswerContext): AnswerEvidence | undefined {
  const texts = passage.said.length > 0 ? passage.said.map(({ words }) => words) : passage.lines;
  const others = texts.map(text => removeAskedNumbers(text, question));
  const isPrice = others.some(text => MONEY.test(text));
  return others.some(text => NUMBER.test(text)) ? toEvidence(passage, isPrice) : undefined;
}

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
  const { promise, lines } = passage;
  const isMeeting = question.kind === 'meeting';
  if (promise) {
    const { dueDate, dueTime } = promise;
    const isOn = isOpen(promise) && dueDate && (!isMeeting || promise.kind === 'appointment') && isAhead(dueDate, context);
    return isOn ? { at: `${dueDate} ${dueTime ?? '24:00'}`, isSure: true } : undefined;
  }
  const isSaid = saysMeet(splitSearchWords(lines.join(' ')));
  const when = passage.said
    .filter(({ words }) => NUMBER.test(words) || (isMeeting && question.days))
    .map(said => readWhen(said, passage, context))
    .findLast(when => when && isAhead(when.date, context));
  const isDay = isMeeting && people.words.length > 0 && (isSaid || question.days);
  if (!when || !(when.time || isDay)) return undefined;
  return { at: `${when.date} ${when.time ?? '24:00'}`, isSure: isSaid || !isMeeting };
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

/** Finds what one side owes: an open promise, surely unless it is perhaps settled. */
function findDebtEvidence({ promise }: Passage, context: AnswerContext): AnswerEvidence | undefined {
  const { kind, days } = context.question;
  if (!promise || !isOpen(promise) || ![OWING_SIDE[kind], 'unassigned'].includes(promise.direction)) return undefined;
  const { direction, dueDate, standing } = promise;
  if (days && !(dueDate && isAhead(dueDate, context))) return undefined;
  return { at: dueDate ?? NO_DAY, isSure: direction === OWING_SIDE[kind] && standing !== 'perhapsSettled' };
}

function passageWords({ lines, digest, promise }: Passage): string[] {
  const { peerName = '' } = promise ?? digest?.dialog ?? {};
  return [...new Set(splitSearchWords(`${lines.join(' ')} ${peerName} ${promise?.who ?? ''}`))];
}

/** Answers with the words that follow them; drops those whose words are shown already, and rows whose messages are. */
function toAnswers(judged: readonly JudgedPassage[], turns: Turns, most: number): Ranked[] {
  const shownOf = oncePer((_dialogId: string) => new Set<string>());
  const wordsOf = ({ said }: Passage) => said.map(({ words }) => words);
  const isNew = (passage: Passage) => {
    const { dialogId, messageIds, said, lines } = passage;
    const hasNew = (keys: readonly string[]) => keys.some(key => !shownOf(dialogId).has(key));
    // A model's sentences may rest on the same messages.
    return said.length > 0 ? hasNew(wordsOf(passage)) : hasNew(lines) && (messageIds.length === 0 || hasNew(messageIds));
  };
  const show = (passage: Ranked) => {
    const whole = addFollowingTurns(passage, turns.get(passage.dialogId));
    // A promise says less than the digest of its messages.
    const messageIds = passage.promise ? [] : whole.messageIds;
    for (const key of [...messageIds, ...passage.lines, ...wordsOf(whole)]) shownOf(passage.dialogId).add(key);
    return whole;
  };
  const passages = judged.values().map(({ passage }) => passage);
  return passages.filter(isNew).map(show).take(most).toArray();
}
