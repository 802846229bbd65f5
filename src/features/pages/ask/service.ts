import { createHash } from 'node:crypto';
import { ClientError } from '../../../clients/errors.ts';
import { weekdayNames } from '../../../clients/summarizer/days/calendar.ts';
import { type Clock, secondsBefore } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { TooManyRequests } from '../../../lib/errors.ts';
import { dayAfter, localDay } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import { newsSince, wordsIn } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import type { Answering, OwnPassage } from '../../messenger/consent/service.ts';
import { listWaits } from '../../promises/waiting/repo.ts';
import { CANCEL, findAnswers, isOfText } from './findAnswers.ts';
import { beginningsOf, looseBeginningsOf } from './likeness.ts';
import { type Passage, passageOfPromise, passageOfWait, passagesOf, type Ranked, toOwnPassages } from './passagesOf.ts';
import { findPeople, namedBy } from './people.ts';
import { findDigests, findNamed, findOpen, findPromises, findWritten, keepWritten, type Where } from './repo.ts';
import { namesIn, readQuestion } from './rules.ts';
import type { Days, Named, Question, Written } from './schema.ts';

export { deleteWrittenOfAllUsers, forgetWritten } from './repo.ts';

export type Answer = {
  question: Question;
  /** The conversations named, at most a few. */
  named: Named[];
  /** The best first; none where nothing says it. */
  passages: Ranked[];
  /** Where there is no answer: what has some of the words. */
  mentions: Ranked[];
  /** How many were read for it. */
  lookedAt: { digests: number; promises: number };
  /** YYYY-MM-DD, in the user's time zone. */
  today: string;
  timezone: string;
  now: Date;
};

type Deps = { db: Db; clock: Clock };
type Asked = { userId: string; typed: string };

/**
 * What the user's digests and promises say to a question, found without a model. It reads at most 200 digests and 60 promises,
 * in two steps, or three where a word may be mistyped, whatever is asked, and keeps nothing.
 * @param asked.among only of these conversations: no other one is read, and none takes a place of theirs
 */
export async function askDigests(
  deps: Deps,
  { among, ...asked }: Asked & { among?: readonly string[] | undefined },
): Promise<Answer> {
  const { question, people, names, sought, ...present } = await readAsked(deps, { ...asked, among });
  const { timezone, today, now } = present;
  const { words, kind, days } = question;
  const isEmpty = words.length === 0 && kind === 'any' && !days;
  const isOfRows = kind === 'agenda' || kind === 'mine' || kind === 'theirs' || kind === 'meeting';
  const [digests, promises, open, { waits }] = isEmpty
    ? [[], [], [], { waits: [] }]
    : await Promise.all([
        findDigests(deps.db, sought),
        findPromises(deps.db, sought),
        isOfRows && people.words.length === 0 ? findOpen(deps.db, { ...sought, days }) : [],
        kind === 'waiting' ? listWaits(deps.db, waitsOf(asked, { now, today, among })) : { waits: [] },
      ]);
  const known = [...new Map([...open, ...promises].map(promise => [promise.id, promise])).values()];
  const rows = [
    ...known.map(promise => passageOfPromise(promise, timezone)),
    ...waits.map(wait => passageOfWait(wait, timezone)),
  ];
  const ofDigest = new Map<string, Passage[]>();
  const read = (all: readonly Digest[]) => {
    for (const digest of all) if (!ofDigest.has(digest.id)) ofDigest.set(digest.id, passagesOf(digest, timezone));
    return all.flatMap(({ id }) => ofDigest.get(id) ?? []);
  };
  const find = (all: readonly Digest[]) => findAnswers([...read(all), ...rows], { question, people, today, timezone });
  const found = find(digests);
  const loose = found.answers.length > 0 ? [] : words.map(looseBeginningsOf).filter(one => one.length > 0);
  const more =
    loose.length > 0 ? await findDigests(deps.db, { ...sought, beginnings: loose, dialogIds: [], isLoose: true }) : [];
  const { answers, mentions } = more.length > 0 ? find([...digests, ...more]) : found;
  return {
    ...{ question, ...present },
    passages: answers,
    mentions,
    named: names.filter(({ dialogId }) => people.wordsOf.has(dialogId)).slice(0, MOST_NAMED),
    lookedAt: { digests: digests.length, promises: known.length },
  };
}

const MOST_NAMED = 3;
const MOST_WAITING = 20;

/** Whoever waits, however short. */
function waitsOf({ userId }: { userId: string }, { now, today, ...where }: { now: Date; today: string } & Where) {
  return { userId, ...where, before: now, newsSince: newsSince(today), limit: MOST_WAITING, offset: 0 };
}

type Answered = { userId: string; answer: Answer };

/** What a model wrote over the passages of an answer already, or whether it can be asked. */
export function findAnswer(deps: Omit<AnswerDeps, 'limitAnswer'>, { userId, answer }: Answered): Promise<Written> {
  return findSentences(deps, { userId, ...toAskOfModel(answer) });
}

/** The same, and asks it where that can be done. */
export function writeAnswer(deps: AnswerDeps, { userId, answer }: Answered): Promise<Written> {
  return tryWriting(deps, { userId, ...toAskOfModel(answer) });
}

function toAskOfModel({ question, passages }: Answer) {
  return { question: question.typed, passages: toOwnPassages(passages) };
}

/** What a question is about, of which people, and what is looked for. */
async function readAsked(deps: Deps, { userId, typed, ...where }: Asked & Where) {
  const [{ timezone }, names] = await Promise.all([
    getSettings(deps, { userId }),
    findNamed(deps.db, { userId, ...where, ...namedBy(namesIn(typed)) }),
  ]);
  const now = deps.clock.now();
  const today = localDay(now, timezone);
  const read = readQuestion(typed, today);
  const people = findPeople(read.words, names);
  const isBare = people.words.length > 0 && read.words.every(word => people.words.includes(word));
  // "When Claire?" is asked of a meeting.
  const question: Question = { ...read, kind: read.kind === 'when' && isBare ? 'meeting' : read.kind };
  const { days, kind } = question;
  const words = [...question.words, ...question.cue, ...(kind === 'threat' ? [CANCEL] : [])];
  const sought = {
    ...{ userId, today, ...where },
    direction: kind === 'mine' || kind === 'theirs' ? kind : undefined,
    dialogIds: [...people.wordsOf.keys()],
    beginnings: kind === 'agenda' && days ? [namesOfDays(days)] : words.map(beginningsOf),
    days: days?.isSure && (isOfText(kind) || days.until <= today) ? days : undefined,
    isOfAll: people.words.length === 0 && (kind === 'agenda' || kind === 'meeting' || kind === 'unanswered'),
  };
  return { question, people, names, sought, today, timezone, now };
}

/** How days of a week may be named: by weekday, or by number. */
function namesOfDays({ since, until }: Days): string[] {
  const days = Array.from({ length: 7 }, (_, after) => dayAfter(since, after)).filter(day => day <= until);
  const names = days.flatMap(day => [...weekdayNames(day), day.slice(8), String(Number(day.slice(8)))]);
  return [...new Set(names.flatMap(name => wordsIn(name).slice(0, 1)))];
}

export type AnswerDeps = {
  db: Db;
  clock: Clock;
  /** Undefined where the operator configured no model. */
  answering: Answering | undefined;
  /** Counts a question to the model. Throws TooManyRequests. */
  limitAnswer(userId: string): Promise<void>;
};

/** `question`: undefined for how things stand. */
type AskedModel = { userId: string; question: string | undefined; passages: readonly OwnPassage[] };

const OFF: Written = { state: 'off', sentences: [], withheld: 0, model: '', host: '' };

/** What a model wrote over these passages already, or whether it can be asked: that is read in one step, and asks no model. */
export async function findSentences(
  { db, clock, answering }: Omit<AnswerDeps, 'limitAnswer'>,
  { userId, question, passages }: AskedModel,
): Promise<Written> {
  if (!answering || passages.length === 0) return OFF;
  const { model, host } = answering;
  const fingerprint = hashOf(question, passages, answering);
  const since = secondsBefore(clock, KEPT_DAYS * 86_400);
  const [allowed, kept] = await Promise.all([
    answering.listAllowed({ userId, passages }),
    findWritten(db, { userId, fingerprint, since }),
  ]);
  const about = { withheld: passages.length - allowed.length, model, host };
  if (allowed.length === 0) return { ...about, state: 'notAgreed', sentences: [] };
  // What was written from more, or from less, than may be sent now is not shown.
  if (kept && isSame(kept.sent, allowed)) return { ...about, state: 'written', sentences: kept.sentences };
  return { ...about, state: 'open', sentences: [] };
}

const isSame = (one: readonly number[], other: readonly number[]) => one.join() === other.join();

/** The same as {@link writeSentences}, for what shows the passages in any case: it fails in words. */
export async function tryWriting(deps: AnswerDeps, asked: AskedModel): Promise<Written> {
  try {
    return await writeSentences(deps, asked);
  } catch (err) {
    const failure = err instanceof TooManyRequests ? 'tooMany' : err instanceof ClientError ? 'unanswered' : undefined;
    if (!failure) throw err;
    return { ...(await findSentences(deps, asked)), failure };
  }
}

/** Those that are asked at this moment: whoever asks the same meanwhile gets the same answer. */
const asking = new Map<string, Promise<Written>>();

/**
 * The same, and asks the model where that can be done: once, and what it says is kept. Throws ClientError where it doesn't
 * answer, and TooManyRequests.
 */
async function writeSentences(deps: AnswerDeps, asked: AskedModel): Promise<Written> {
  const { answering } = deps;
  const found = await findSentences(deps, asked);
  if (!answering || found.state !== 'open') return found;
  const { userId, question, passages } = asked;
  const fingerprint = hashOf(question, passages, answering);
  const key = `${userId} ${fingerprint}`;
  const underWay = asking.get(key);
  if (underWay !== undefined) return underWay;
  const writing = write(deps, { ...asked, fingerprint }, found).finally(() => asking.delete(key));
  asking.set(key, writing);
  return writing;
}

async function write(
  { db, clock, answering, limitAnswer }: AnswerDeps,
  { fingerprint, ...asked }: AskedModel & { fingerprint: string },
  found: Written,
): Promise<Written> {
  const { userId, passages } = asked;
  if (!answering) return found;
  await limitAnswer(userId);
  const { sent, sentences } = await answering.write(asked);
  const withheld = passages.length - sent.length;
  if (sent.length === 0) return { ...found, state: 'notAgreed', withheld };
  await keepWritten(db, { userId, fingerprint, sent, sentences, now: clock.now() });
  return { ...found, state: 'written', sentences, withheld };
}

/** Days that sentences are kept. */
export const KEPT_DAYS = 7;

/** Another one as soon as the question, the model or anything in a passage is another. */
function hashOf(question: string | undefined, passages: readonly OwnPassage[], service: AiService): string {
  const { model, host } = service;
  return createHash('sha256')
    .update(JSON.stringify([model, host, question ?? null, passages]))
    .digest('hex');
}
