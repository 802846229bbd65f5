import { findWhen, isDeadline, type When } from '../../../clients/summarizer/days/findWhen.ts';
import { saysNews } from '../../../clients/summarizer/languages/words.ts';
import { dayBefore } from '../../../lib/timezones.ts';
import { wordsIn } from '../../digests/rules.ts';
import { isLive } from '../../promises/rules.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import { type Passage, type Ranked, type Said, type Turn, turnsAfter } from './passagesOf.ts';
import { likenessOf, saysOf } from './rules.ts';
import type { People, Question } from './schema.ts';

type Present = { today: string; timezone: string };

/** What is asked for, and where a passage has it: the day and hour it is about, in the order in which it is listed. */
type Row = { passage: Passage; at: string; isSure: boolean };

const MOST = 9;

/** They are asked in words that say nothing else. */
const WITHOUT_MATTER: readonly unknown[] = ['waiting', 'unanswered', 'threat'];

/** What is asked about, besides people and what makes it a question of its kind. */
export function mattersBesides({ kind, words, cue }: Question, people: People): string[] {
  if (WITHOUT_MATTER.includes(kind)) return [];
  return words.filter(word => !people.words.includes(word) && !cue.includes(word));
}

/**
 * What answers a question by being what it asks for: promises, appointments, who waits; then lines that fix a day, or name a
 * figure. An answer about someone is of their conversation.
 */
export function pickRows(
  passages: readonly Passage[],
  question: Question,
  people: People,
  present: Present,
): Passage[] {
  const { kind } = question;
  if (!kind) return [];
  const matters = mattersBesides(question, people);
  const isTheirs = ({ dialogId }: Passage) => people.words.length === 0 || people.wordsOf.has(dialogId);
  const rows = passages
    .filter(isTheirs)
    .flatMap(passage => rowOf(passage, { question, people, matters, present }) ?? []);
  const isOwed = kind === 'theirs' && isOfMoney(matters);
  const covering = rows.filter(({ passage }) => covers(passage, matters) || (isOwed && covers(passage, [INVOICE])));
  // What someone is met for may be told in other words.
  const found = covering.length > 0 || kind !== 'meeting' || people.words.length === 0 ? covering : rows;
  const isAnySure = (kind === 'meeting' || kind === 'offer' || kind === 'price') && found.some(({ isSure }) => isSure);
  const order = kind === 'meeting' || kind === 'agenda' ? soonestFirst : newestFirst;
  return found
    .filter(({ isSure }) => isSure || !isAnySure)
    .toSorted((one, other) => (kind === 'agenda' ? 0 : Number(other.isSure) - Number(one.isSure)) || order(one, other))
    .slice(0, MOST)
    .map(({ passage }) => passage);
}

/** What is asked of someone in no other word than when, or how much. */
export const KIND_OF_FACT = { when: 'meeting', howMuch: 'price', any: undefined } as const;

/** The answer of people who write in another language than the question: what is asked about has other words there. */
export function pickForeignRows(
  passages: readonly Passage[],
  question: Question,
  people: People,
  present: Present,
): Passage[] {
  const kind = question.kind === 'offer' ? 'price' : (question.kind ?? KIND_OF_FACT[question.fact]);
  const isOwn = ({ digest }: Passage) => digest?.structured.language === question.language;
  const own = new Set(passages.filter(isOwn).map(({ dialogId }) => dialogId));
  const isForeign = ({ dialogId }: Passage) => people.wordsOf.has(dialogId) && !own.has(dialogId);
  const rowsOf = (words: string[]) =>
    kind ? pickRows(passages.filter(isForeign), { ...question, kind, words }, people, present) : [];
  const rows = rowsOf(question.words).filter(row => covers(row, mattersBesides(question, people), 1));
  return rows.length > 0 ? rows : rowsOf([]);
}

/**
 * What was said later in the same conversation on the same matter: another day, figure or hour in the place of these, or that
 * it won't be. Undefined where nothing replaced it.
 */
export function replacementOf(
  passage: Ranked,
  turns: readonly Turn[] | undefined,
  { question, present }: Pick<About, 'question' | 'present'>,
): Turn | undefined {
  const { kind, fact } = question;
  const isOfSide = kind === 'mine' || kind === 'theirs';
  const isWhen = isOfSide || kind === 'meeting' || kind === 'agenda' || (!kind && fact === 'when');
  const text = passage.lines.join(' ');
  const figures = figuresIn(text);
  if (isOfMoney(question.words) && isOfSide)
    return turnsAfter(passage, turns).findLast(({ said: { fromUser, words } }) => {
      const isSum = figures.some(figure => figuresIn(words).includes(figure));
      return (kind === 'mine' || !fromUser) && (isSum || coversWords(wordsIn(words), [PAYMENT]));
    });
  if (!isWhen && fact !== 'howMuch' && kind !== 'offer') return undefined;
  const isMet = saysOf('meet', wordsIn(text));
  return turnsAfter(passage, turns).findLast(({ said, passage: its }) => {
    const words = wordsIn(said.words);
    const isOnMeeting = isWhen && isMet && saysOf('meet', words);
    const isOnHits = passage.hits.length > 0 && passage.hits.every(hit => words.includes(hit));
    if (!isOnMeeting && !isOnHits && !figuresIn(said.words).some(figure => figures.includes(figure))) return false;
    const others = figures.reduce((left, figure) => left.replace(figure, ''), without(said.words, question));
    if (!isWhen) return FIGURE.test(others) && !ASKS.test(said.words);
    return whenOf(said, its, present) !== null || saysOf('not', words);
  });
}

/** Dates, hours and sums, which hardly anything else has in common. */
const figuresIn = (text: string): string[] => text.match(/\p{Nd}[\p{Nd}.,:/]+\p{Nd}/gu) ?? [];

const soonestFirst = (one: Row, other: Row) => one.at.localeCompare(other.at);
const newestFirst = (one: Row, other: Row) => other.at.localeCompare(one.at);

type About = { question: Question; people: People; matters: readonly string[]; present: Present };

type Where = { at: string; isSure: boolean };

function rowOf(passage: Passage, about: About): Row | undefined {
  const { promise, wait } = passage;
  const isWaiting = about.question.kind === 'waiting';
  const where =
    isWaiting || wait
      ? isWaiting && wait && { at: wait.askedAt.toISOString(), isSure: true }
      : promise
        ? ofPromise(promise, about)
        : LINES[about.question.kind ?? 'waiting']?.(passage, about);
  return where ? { passage, ...where } : undefined;
}

function isIn(day: string, { question: { days }, present: { today } }: About): boolean {
  return days ? day >= days.since && day <= days.until : day >= today;
}

/** What is open of the promise's side, or due on the days that are meant. */
function ofPromise(promise: SourcedPromise, about: About): Where | undefined {
  const { kind, days } = about.question;
  const { direction, dueDate, dueTime, sources, lastSaidOn } = promise;
  if (!isLive(promise) || promise.isDoubtful) return undefined;
  if (kind === 'agenda' || (kind === 'meeting' && promise.kind === 'appointment'))
    return dueDate && isIn(dueDate, about) ? { at: `${dueDate} ${dueTime ?? '24:00'}`, isSure: true } : undefined;
  if ((kind !== 'mine' && kind !== 'theirs') || (direction !== kind && direction !== 'unassigned')) return undefined;
  if (days && !(dueDate && isIn(dueDate, about))) return undefined;
  const isPast = dueDate !== null && dueDate < about.present.today;
  return { at: sources.at(-1)?.sentAt ?? lastSaidOn, isSure: direction === kind && !isPast };
}

type OfLines = (passage: Passage, about: About) => Where | false | null | undefined;

/** Lines that say it: of a day to come with its hour, of a price, or of what someone is to do by a day. */
const LINES: Partial<Record<NonNullable<Question['kind']>, OfLines>> = {
  meeting: ofHour,
  agenda: ofHour,
  mine: ofOwed,
  theirs: (passage, about) => ofOwed(passage, about) || ofInvoice(passage, about),
  threat: passage =>
    passage.said.some(({ fromUser, words }) => !fromUser && coversWords(wordsIn(words), [CANCEL])) && newest(passage),
  price: (passage, { question }) => {
    const isFigure = ({ words }: Said) => FIGURE.test(without(words, question));
    return (
      passage.said.some(isFigure) && { ...newest(passage), isSure: passage.said.some(({ words }) => PRICE.test(words)) }
    );
  },
  offer: (passage, { question, people, matters }) => {
    const { isByUser, fact } = question;
    const figure = fact === 'howMuch' && !isByUser ? PRICE : OFFER;
    const isTheirs = ({ fromUser }: Said) => fromUser === isByUser || (fact === 'howMuch' && !isByUser);
    const isNamed = matters.length + people.words.length > 0;
    const theirs = passage.said.filter(
      one => isTheirs(one) && FIGURE.test(without(one.words, question)) && !ASKS.test(one.words),
    );
    return (
      isNamed && theirs.length > 0 && { ...newest(passage), isSure: theirs.some(({ words }) => figure.test(words)) }
    );
  },
  unanswered: passage => {
    const { said, digest } = passage;
    const last = said.at(-1);
    const isLast = last && digest?.lastMessageAt && last.at >= digest.lastMessageAt && !digest.isCovered;
    return isLast && last.fromUser && (ASKS.test(last.words) || last.file !== '') && newest(passage);
  },
};

/** The numbers that are asked about are no answer. */
export function without(said: string, { typed }: Question): string {
  const asked: string[] = typed.match(/\p{Nd}+/gu) ?? [];
  return said.replace(/\p{Nd}+/gu, number => (asked.includes(number) ? '' : number));
}

const newest = ({ said, day }: Passage): Where => ({ at: said.at(-1)?.at.toISOString() ?? day, isSure: false });

/** An hour of a day to come; of a meeting with someone also the day alone, and no deadline. */
function ofHour(passage: Passage, about: About): Where | undefined {
  const { question, people, present } = about;
  const isMeeting = question.kind === 'meeting';
  const isSaid = isMeeting && saysOf('meet', wordsIn(passage.lines.join(' ')));
  const language = passage.digest?.structured.language ?? 'und';
  const when = passage.said
    .filter(({ words }) => NUMBER.test(words) || (isMeeting && question.days))
    .map(one => ({ ...one, when: whenOf(one, passage, present) }))
    .findLast(
      ({ when, words }) => when && isIn(when.date, about) && !(isMeeting && isDeadline(words, when.words, language)),
    )?.when;
  if (!when?.time && !(when && (isSaid || (isMeeting && question.days)) && people.words.length > 0)) return undefined;
  return { at: `${when.date} ${when.time ?? '24:00'}`, isSure: isSaid };
}

function ofOwed(passage: Passage, about: About): Where | false {
  const { question, people, matters, present } = about;
  // What others say must be done by a day is rarely what they owe.
  if (matters.length === 0 && (question.kind === 'theirs' || people.words.length === 0)) return false;
  const language = passage.digest?.structured.language ?? 'und';
  const isLate = (day: string) => matters.length > 0 && !question.days && day >= dayBefore(present.today, LATE);
  const isOwn = ({ fromUser, words }: Said) =>
    fromUser === (question.kind === 'mine') &&
    !ASKS.test(words) &&
    !saysNews(words, language) &&
    coversWords(wordsIn(words), matters);
  const days = passage.said.filter(isOwn).map(one => whenOf(one, passage, present));
  return days.some(when => when && (isIn(when.date, about) || isLate(when.date))) && newest(passage);
}

/** An invoice that the user sent. */
function ofInvoice(passage: Passage, { matters }: About): Where | false {
  const isInvoice = ({ fromUser, file }: Said) => fromUser && coversWords(wordsIn(file), [INVOICE], 1);
  return isOfMoney(matters) && passage.said.some(isInvoice) && newest(passage);
}

/** Whether nothing but money is asked about. */
export function isOfMoney(matters: readonly string[]): boolean {
  return matters.length > 0 && matters.every(matter => likenessOf(PAYMENT, matter) > 0);
}

/** Days. What was to be paid by then may still be owed. */
const LATE = 7;
/** The words for it in any language are those of its matter. */
export const CANCEL = 'cancel';
export const INVOICE = 'invoice';
const PAYMENT = 'payment';
/** A price, a share, or a number of things. */
export const FIGURE = /\d\s?[%€$£¥₴₽]|[€$£¥₴₽]\s?\d|\d[.,]\d|\d{2}|\d\s?(?:x|×)/u;
const PRICE = /[€$£¥₴₽]|\d[.,]\d{2}(?!\d)|\d\.\d{3}(?!\d)|\d\s?(?:eur|usd|chf|zł|евро|руб|美元|欧元|円|يورو)/iu;
const OFFER = new RegExp(`%|${PRICE.source}`, 'iu');
const ASKS = /[?？؟;][^\p{L}?？؟;]{0,20}$/u;

const SENTENCE_END = /(?<=[.!?؟。]) /;
const NUMBER = /\p{Nd}/u;

const known = new WeakMap<Said, When | null>();

/** The day that words fix, in the language of their conversation. */
function whenOf(said: Said, { digest }: Passage, { timezone }: Present): When | null {
  const before = known.get(said);
  if (before !== undefined) return before;
  const language = digest?.structured.language ?? 'und';
  // "Tomorrow is bad. Thursday at 12?"
  const read = (text: string) => findWhen(text, language, said.at, timezone);
  const parts = said.words.split(SENTENCE_END).filter(part => part !== said.words && NUMBER.test(part));
  const when =
    parts
      .values()
      .map(read)
      .find(one => one?.time) ?? read(said.words);
  known.set(said, when);
  return when;
}

const HALF = 0.5;

/** Whether a passage has so much of what was asked about. */
export function covers({ lines, promise, digest }: Passage, matters: readonly string[], share = HALF): boolean {
  const { peerName = '' } = promise ?? digest?.dialog ?? {};
  return coversWords(wordsIn(`${lines.join(' ')} ${peerName} ${promise?.who ?? ''}`), matters, share);
}

function coversWords(words: readonly string[], matters: readonly string[], share = HALF): boolean {
  const covered = matters.filter(matter => words.some(word => likenessOf(matter, word) > 0));
  return covered.length >= share * matters.length;
}
