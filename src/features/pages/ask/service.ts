import { createHash } from 'node:crypto';
import { ClientError } from '../../../clients/errors.ts';
import { weekdayNames } from '../../../clients/summarizer/days/calendar.ts';
import { type Clock, secondsBefore } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { TooManyRequests } from '../../../lib/errors.ts';
import { dayAfter, localDay } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import { wordsIn } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import type { Answering, OwnPassage } from '../../messenger/consent/service.ts';
import { listWaits } from '../../promises/waiting/repo.ts';
import {
  type Passage,
  passageOfPromise,
  passageOfWait,
  passagesOf,
  type Ranked,
  type Turn,
  toOwnPassages,
  turnsOf,
  withNext,
} from './passagesOf.ts';
import {
  CANCEL,
  covers,
  INVOICE,
  isOfMoney,
  KIND_OF_FACT,
  mattersBesides,
  pickForeignRows,
  pickRows,
  replacementOf,
} from './pickRows.ts';
import { distinct, findPeople, namedBy, rankPassages } from './rankPassages.ts';
import { findDigests, findNamed, findOpen, findPromises, findWritten, keepWritten, type Where } from './repo.ts';
import { beginningsOf, looseBeginningsOf, namesIn, readQuestion } from './rules.ts';
import type { Days, Named, People, Question, Written } from './schema.ts';

export { deleteWrittenOfAllUsers, forgetWritten } from './repo.ts';

export type Answer = {
  question: Question;
  people: People;
  /** The conversations named, at most a few. */
  named: Named[];
  /** The best first; none where nothing says it. */
  passages: Ranked[];
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
  const { question, people, names, sought, isEmpty, ...present } = await readAsked(deps, { ...asked, among });
  const { timezone, today, now } = present;
  const { words, kind } = question;
  const [digests, promises, open, { waits }] = isEmpty
    ? [[], [], [], { waits: [] }]
    : await Promise.all([
        findDigests(deps.db, sought),
        findPromises(deps.db, sought),
        kind && people.words.length === 0 ? findOpen(deps.db, { ...sought, days: question.days }) : [],
        kind === 'waiting' ? listWaits(deps.db, waitsOf(asked, { now, today, among })) : { waits: [] },
      ]);
  // Who is only named somewhere is not met there.
  const isMeant = (passage: Ranked) => kind !== 'meeting' || covers(passage, words, MOST_OF_IT);
  const known = [...new Map([...open, ...promises].map(promise => [promise.id, promise])).values()];
  const ofDigest = new Map<string, Passage[]>();
  const read = (all: readonly Digest[]) => {
    for (const digest of all) if (!ofDigest.has(digest.id)) ofDigest.set(digest.id, passagesOf(digest, timezone));
    return all.flatMap(({ id }) => ofDigest.get(id) ?? []);
  };
  const rank = (ofDigests: readonly Passage[]) => {
    const passages = [
      ...known.map(promise => passageOfPromise(promise, timezone)),
      ...ofDigests,
      ...waits.map(wait => passageOfWait(wait, timezone)),
    ];
    const rows = pickRows(passages, question, people, present).map(asBest);
    const foreign = rows.length > 0 ? [] : pickForeignRows(passages, question, people, present).map(asBest);
    const said = isOfRowsAlone(question, people) ? [] : rankPassages(passages, question, people).filter(isMeant);
    const best = [...rows, ...foreign];
    return distinct([...best, ...said.slice(0, best.length > 0 ? MOST_BEHIND : undefined)]).slice(0, MOST);
  };
  const found = rank(read(digests));
  const loose = found.length > 0 ? [] : words.map(looseBeginningsOf).filter(beginnings => beginnings.length > 0);
  const more =
    loose.length > 0 ? await findDigests(deps.db, { ...sought, beginnings: loose, dialogIds: [], isLoose: true }) : [];
  const passages = more.length > 0 ? rank(read([...digests, ...more])) : found;
  const beside =
    passages.length > 0 && !isEmpty
      ? await findDigests(deps.db, {
          ...{ ...sought, beginnings: [], days: undefined, isOfAll: false },
          dialogIds: [...new Set(passages.map(({ dialogId }) => dialogId))],
        })
      : [];
  const turns = turnsOf(read([...beside, ...more, ...digests]));
  return {
    ...{ question, people, ...present },
    passages: nowOf(passages, turns, { question, present }),
    named: names.filter(({ dialogId }) => people.wordsOf.has(dialogId)).slice(0, MOST_NAMED),
    lookedAt: { digests: digests.length, promises: known.length },
  };
}

const isOfRows = (kind: Question['kind']) => kind === 'agenda' || kind === 'mine' || kind === 'theirs';

/** Each with what was said next; what was replaced since then by what did so, and nothing twice. */
function nowOf(
  found: readonly Ranked[],
  turns: ReadonlyMap<string, readonly Turn[]>,
  about: { question: Question; present: { today: string; timezone: string } },
): Ranked[] {
  const shown = new Set<string>();
  return found.flatMap(one => {
    const its = turns.get(one.dialogId);
    const by = replacementOf(one, its, about);
    if (by && isOfRows(about.question.kind)) return [];
    const now = by ? { ...by.passage, score: one.score, hits: one.hits } : one;
    const keys = now.messageIds.map(id => `${now.dialogId} ${id}`);
    if (keys.length > 0 && keys.every(key => shown.has(key))) return [];
    const whole = withNext(now, its);
    for (const id of whole.messageIds) shown.add(`${now.dialogId} ${id}`);
    return [whole];
  });
}

const asBest = (passage: Passage): Ranked => ({ ...passage, score: BEST, hits: [] });

const MOST_NAMED = 3;
const MOST = 9;
/** Of what is only like an answer, behind rows that are one. */
const MOST_BEHIND = 3;
const MOST_OF_IT = 0.6;
const BEST = 9;
const MOST_WAITING = 20;

/** Nothing else is an answer: who is asked about in no other word, and when or what nothing names. */
function isOfRowsAlone(question: Question, people: People): boolean {
  const { kind } = question;
  const matters = mattersBesides(question, people);
  return kind !== undefined && kind !== 'price' && (matters.length === 0 || (isOfRows(kind) && isOfMoney(matters)));
}

/** Whoever waits, however short. */
function waitsOf({ userId }: { userId: string }, { now, ...where }: { now: Date; today: string } & Where) {
  return { userId, ...where, before: now, limit: MOST_WAITING, offset: 0 };
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
  const isBare = [...people.wordsOf.values()].some(named => read.words.every(word => named.includes(word)));
  const question: Question = { ...read, kind: read.kind ?? (isBare ? KIND_OF_FACT[read.fact] : undefined) };
  const { direction, days, kind } = question;
  const also = kind === 'threat' ? [CANCEL] : kind === 'theirs' && isOfMoney(question.words) ? [INVOICE] : [];
  const words = [...question.words, ...also];
  const isAhead = days !== undefined && days.until > today;
  const sought = {
    ...{ userId, today, direction, ...where },
    dialogIds: [...people.wordsOf.keys()],
    beginnings: kind === 'agenda' && days ? [namesOfDays(days)] : words.map(beginningsOf),
    days: days?.isSure && !(kind && isAhead) ? days : undefined,
    isOfAll: people.words.length === 0 && (kind === 'agenda' || kind === 'meeting' || kind === 'unanswered'),
  };
  const isEmpty = words.length === 0 && !kind && !days;
  return { question, people, names, sought, isEmpty, today, timezone, now };
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
