import { findWhen, isDeadline, type When } from '../../../clients/summarizer/days/findWhen.ts';
import { dayBefore } from '../../../lib/timezones.ts';
import { wordsIn } from '../../digests/rules.ts';
import { isLive } from '../../promises/rules.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import type { Passage, Said } from './passagesOf.ts';
import { likenessOf, saysMeeting } from './rules.ts';
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
  const covering = rows.filter(({ passage }) => covers(passage, matters));
  // What someone is met for may be told in other words.
  const found = covering.length > 0 || kind !== 'meeting' || people.words.length === 0 ? covering : rows;
  const isAnySure = kind === 'meeting' && found.some(({ isSure }) => isSure);
  const order = kind === 'meeting' || kind === 'agenda' ? soonestFirst : newestFirst;
  return found
    .filter(({ isSure }) => isSure || !isAnySure)
    .toSorted((one, other) => Number(other.isSure) - Number(one.isSure) || order(one, other))
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
  return kind ? pickRows(passages.filter(isForeign), { ...question, kind, words: [] }, people, present) : [];
}

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
  if (!isLive(promise)) return undefined;
  if (kind === 'agenda' || (kind === 'meeting' && promise.kind === 'appointment'))
    return dueDate && isIn(dueDate, about) ? { at: `${dueDate} ${dueTime ?? '24:00'}`, isSure: true } : undefined;
  if ((kind !== 'mine' && kind !== 'theirs') || (direction !== kind && direction !== 'unassigned')) return undefined;
  if (days && !(dueDate && isIn(dueDate, about))) return undefined;
  return { at: sources.at(-1)?.sentAt ?? lastSaidOn, isSure: direction === kind };
}

type OfLines = (passage: Passage, about: About) => Where | false | null | undefined;

/** Lines that say it: of a day to come with its hour, of a price, or of what someone is to do by a day. */
const LINES: Partial<Record<NonNullable<Question['kind']>, OfLines>> = {
  meeting: ofHour,
  agenda: ofHour,
  mine: ofOwed,
  theirs: ofOwed,
  threat: passage =>
    passage.said.some(({ fromUser, words }) => !fromUser && coversWords(wordsIn(words), [CANCEL])) && newest(passage),
  price: passage => passage.said.some(({ words }) => PRICE.test(words)) && newest(passage),
  offer: (passage, { question: { isByUser, fact }, people, matters }) => {
    const figure = fact === 'howMuch' && !isByUser ? PRICE : OFFER;
    const isTheirs = ({ fromUser }: Said) => fromUser === isByUser || (fact === 'howMuch' && !isByUser);
    const isNamed = matters.length + people.words.length > 0;
    return isNamed && passage.said.some(one => isTheirs(one) && figure.test(one.words)) && newest(passage);
  },
  unanswered: passage => {
    const { said, digest } = passage;
    const last = said.at(-1);
    const isLast = last && digest?.lastMessageAt && last.at >= digest.lastMessageAt && !digest.isCovered;
    return isLast && last.fromUser && ASKS.test(last.words) && newest(passage);
  },
};

const newest = ({ said, day }: Passage): Where => ({ at: said.at(-1)?.at.toISOString() ?? day, isSure: false });

/** An hour of a day to come; of a meeting with someone also the day alone, and no deadline. */
function ofHour(passage: Passage, about: About): Where | undefined {
  const { question, people, present } = about;
  const isMeeting = question.kind === 'meeting';
  const isSaid = isMeeting && saysMeeting(wordsIn(passage.lines.join(' ')));
  const language = passage.digest?.structured.language ?? 'und';
  const when = passage.said
    .filter(({ words }) => /\d/.test(words))
    .map(one => ({ ...one, when: whenOf(one, passage, present) }))
    .findLast(
      ({ when, words }) => when && isIn(when.date, about) && !(isMeeting && isDeadline(words, when.words, language)),
    )?.when;
  if (!when?.time && !(when && isSaid && people.words.length > 0)) return undefined;
  return { at: `${when.date} ${when.time ?? '24:00'}`, isSure: isSaid };
}

function ofOwed(passage: Passage, about: About): Where | false {
  const { question, people, matters, present } = about;
  // What others say must be done by a day is rarely what they owe.
  if (matters.length === 0 && (question.kind === 'theirs' || people.words.length === 0)) return false;
  const isLate = (day: string) => matters.length > 0 && !question.days && day >= dayBefore(present.today, LATE);
  const isOwn = ({ fromUser, words }: Said) =>
    fromUser === (question.kind === 'mine') && !ASKS.test(words) && coversWords(wordsIn(words), matters);
  const days = passage.said.filter(isOwn).map(one => whenOf(one, passage, present));
  return days.some(when => when && (isIn(when.date, about) || isLate(when.date))) && newest(passage);
}

/** Days. What was to be paid by then may still be owed. */
const LATE = 7;
/** The words for it in any language are those of its matter. */
export const CANCEL = 'cancel';
/** A price, a share, or a number of things. */
export const FIGURE = /\d\s?[%€$£¥₴₽]|[€$£¥₴₽]\s?\d|\d[.,]\d|\d{2}|\d\s?(?:x|×)/u;
const PRICE = /[€$£¥₴₽]|\d[.,]\d{2}(?!\d)|\d\.\d{3}(?!\d)|\d\s?(?:eur|usd|chf|zł|евро|руб|美元|欧元|円|يورو)/iu;
const OFFER = new RegExp(`%|${PRICE.source}`, 'iu');
const ASKS = /[?？؟;][^\p{L}?？؟;]{0,20}$/u;

const known = new WeakMap<Said, When | null>();

/** The day that words fix, in the language of their conversation. */
function whenOf(said: Said, { digest }: Passage, { timezone }: Present): When | null {
  const before = known.get(said);
  if (before !== undefined) return before;
  const when = findWhen(said.words, digest?.structured.language ?? 'und', said.at, timezone);
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
