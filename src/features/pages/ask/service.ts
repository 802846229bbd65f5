import { createHash } from 'node:crypto';
import { ClientError } from '../../../clients/errors.ts';
import { secondsBefore, type Timed } from '../../../lib/clock.ts';
import { TooManyRequests } from '../../../lib/errors.ts';
import { getSettings } from '../../base/settings/service.ts';
import type { Digest } from '../../digests/schema.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import type { Answering, PassageWithConsent } from '../../messenger/consent/service.ts';
import { toUserMoment } from '../../promises/rules.ts';
import { listWaits } from '../../promises/waiting/repo.ts';
import { CANCEL, findAnswers, isOfPromises, isOfText, OWING_SIDE } from './findAnswers.ts';
import { composeNameSearch, findNamedDialogs } from './findNamedDialogs.ts';
import { passageOfPromise, passageOfWait, type Ranked, splitPassages, toModelPassages } from './passages.ts';
import { type AmongDialogs, findDigests, findNamed, findPromises, findWritten, keepWritten } from './repo.ts';
import { readQuestion, topicWords } from './rules.ts';
import type { NamedDialog, Question, WrittenAnswer } from './schema.ts';
import { looseBeginnings, wordBeginnings } from './scoreWords.ts';

export { forgetWritten } from './repo.ts';

export type Answer = {
  question: Question;
  /** The conversations named, at most a few. */
  named: NamedDialog[];
  /** The best first; none where nothing says it. */
  passages: Ranked[];
  /** Passages with some of the words, which may say it; only where there is no answer. */
  mentions: Ranked[];
  /** What only a model may be given, after the others. */
  others: Ranked[];
  lookedAt: { digests: number; promises: number };
  /** YYYY-MM-DD, in the user's time zone. */
  today: string;
  timezone: string;
  now: Date;
};

type TypedQuestion = { userId: string; typed: string };

/**
 * Answers a question from the user's digests and promises, without a model. It reads a limited number of
 * digests and promises (`repo.ts`), in two or three steps, and keeps nothing.
 * @param among the only conversations that are read and that count towards the limits; default: all
 */
export async function askDigests(
  deps: Timed,
  { among, ...typed }: TypedQuestion & { among?: readonly string[] | undefined },
): Promise<Answer> {
  const { question, people, names, sought, ...present } = await parseQuestion(deps, { ...typed, among });
  const { timezone, today, now } = present;
  const { userId } = typed;
  const everyoneWaiting = { userId, today, among, before: now, limit: MAX_WAITING_QUESTIONS, offset: 0 };
  const [digests, promises, { waits }] = await Promise.all([
    findDigests(deps.db, sought),
    findPromises(deps.db, sought),
    question.kind === 'waiting' ? listWaits(deps.db, everyoneWaiting) : { waits: [] },
  ]);
  // One that was moved may be a row for each of its days: the first is the newest.
  const newest = [...Map.groupBy(promises, ({ dialogId, words }) => `${dialogId} ${words}`).values()].flatMap(
    ([one]) => one ?? [],
  );
  const find = (all: readonly Digest[]) => {
    const passages = [
      ...all.flatMap(digest => splitPassages(digest, timezone)),
      ...newest.map(promise => passageOfPromise(promise, timezone)),
      ...waits.map(wait => passageOfWait(wait, timezone)),
    ];
    return findAnswers(passages, { question, people, today, timezone });
  };
  const found = find(digests);
  const beginnings = found.answers.length > 0 ? [] : looseBeginnings(question.words);
  // The newest words of a conversation may say that what was found no longer holds.
  const dialogIds = people.words.length > 0 ? [] : [...found.answers, ...found.mentions].map(({ dialogId }) => dialogId);
  const next = { ...sought, beginnings, dialogIds, isOfAll: false };
  const more = beginnings.length + dialogIds.length > 0 ? await findDigests(deps.db, next) : [];
  const all = [...new Map([...digests, ...more].map(digest => [digest.id, digest])).values()];
  const { answers: passages, ...rest } = more.length > 0 ? find(all) : found;
  return {
    question,
    ...present,
    passages,
    ...rest,
    named: names.filter(({ dialogId }) => people.wordsOf.has(dialogId)).slice(0, MAX_NAMED_PEOPLE),
    lookedAt: { digests: all.length, promises: promises.length },
  };
}

const MAX_NAMED_PEOPLE = 3;
const MAX_WAITING_QUESTIONS = 20;

/** The request to a model about an answer: what is shown comes first, numbered as on the page. */
export function toAskOfModel({ userId, answer }: { userId: string; answer: Answer }): AskedModel {
  const passages = toModelPassages([...answer.passages, ...answer.mentions, ...answer.others]);
  return { userId, question: answer.question.typed, passages };
}

/** Parses a question: its topic, the people it names, and what to look for. */
async function parseQuestion(deps: Timed, { userId, typed, ...where }: TypedQuestion & AmongDialogs) {
  const [{ timezone }, names] = await Promise.all([
    getSettings(deps, { userId }),
    findNamed(deps.db, { userId, ...where, ...composeNameSearch(topicWords(typed)) }),
  ]);
  const now = deps.clock.now();
  const moment = toUserMoment(now, timezone);
  const { today } = moment;
  const parsed = readQuestion(typed, today);
  const people = findNamedDialogs(parsed.words, names);
  const isBare = people.words.length > 0 && parsed.words.every(word => people.words.includes(word));
  // "When Claire?" is asked of a meeting.
  const question: Question = { ...parsed, kind: parsed.kind === 'when' && isBare ? 'meeting' : parsed.kind };
  const { days, kind } = question;
  const words = [...question.words, ...question.cue, ...(kind === 'threat' ? [CANCEL] : [])];
  const sought = {
    userId,
    ...moment,
    days,
    ...where,
    direction: OWING_SIDE[kind],
    dialogIds: [...people.wordsOf.keys()],
    beginnings: words.map(wordBeginnings),
    isOfDays: days?.isSure === true && (isOfText(kind) ? days.since : days.until) <= today,
    isOfAll: people.words.length === 0 && (kind === 'agenda' || kind === 'meeting' || kind === 'unanswered'),
    isOpen: isOfPromises(kind),
  };
  return { question, people, names, sought, today, timezone, now };
}

export type AnswerDeps = Timed & {
  /** Undefined where the operator configured no model. */
  answering: Answering | undefined;
  /** Counts a question to the model. Throws TooManyRequests. */
  limitAnswer(userId: string): Promise<void>;
};

/** `question`: undefined for a description of how things stand. */
type AskedModel = { userId: string; question: string | undefined; passages: readonly PassageWithConsent[] };

const OFF: WrittenAnswer = { state: 'off', sentences: [], withheld: 0, model: '', host: '' };

/** The sentences that a model wrote from these passages before, or whether it can be asked for them. Asks no model. */
export async function findSentences(
  { db, clock, answering }: Omit<AnswerDeps, 'limitAnswer'>,
  { userId, question, passages }: AskedModel,
): Promise<WrittenAnswer> {
  if (!answering || passages.length === 0) return OFF;
  const { model, host } = answering;
  const fingerprint = answerFingerprint(question, passages, answering);
  const since = secondsBefore(clock, ANSWER_CACHE_DAYS * 86_400);
  const [allowed, kept] = await Promise.all([
    answering.listAllowed({ userId, passages }),
    findWritten(db, { userId, fingerprint, since }),
  ]);
  const about = { withheld: passages.length - allowed.length, model, host };
  if (allowed.length === 0) return { ...about, state: 'notAgreed', sentences: [] };
  // Sentences that were written from other passages than may be sent now are not shown.
  if (kept && kept.sent.join() === allowed.join()) return { ...about, state: 'written', sentences: kept.sentences };
  return { ...about, state: 'open', sentences: [] };
}

/** Answers under way, shared by identical concurrent questions. */
const writingByKey = new Map<string, Promise<WrittenAnswer>>();

/** Like {@link findSentences}, but asks the model if need be. A failure is returned, as the passages are shown anyway. */
export async function tryWriting(deps: AnswerDeps, request: AskedModel): Promise<WrittenAnswer> {
  const { answering } = deps;
  if (!answering) return findSentences(deps, request);
  const key = `${request.userId} ${answerFingerprint(request.question, request.passages, answering)}`;
  const underWay = writingByKey.get(key);
  if (underWay !== undefined) {
    const { failure } = await underWay;
    // Consent may have ended since that one began.
    const found = await findSentences(deps, request);
    return failure ? { ...found, failure } : found;
  }
  // From the look at what is kept: a question that looked just before the first was kept would ask again.
  const writing = findOrWrite(deps, answering, request).finally(() => writingByKey.delete(key));
  writingByKey.set(key, writing);
  return writing;
}

async function findOrWrite(deps: AnswerDeps, answering: Answering, request: AskedModel): Promise<WrittenAnswer> {
  const { db, clock, limitAnswer } = deps;
  const { userId, question, passages } = request;
  const found = await findSentences(deps, request);
  if (found.state !== 'open') return found;
  try {
    await limitAnswer(userId);
    const { sent, sentences } = await answering.write(request);
    const withheld = passages.length - sent.length;
    if (sent.length === 0) return { ...found, state: 'notAgreed', withheld };
    const fingerprint = answerFingerprint(question, passages, answering);
    await keepWritten(db, { userId, fingerprint, sent, sentences, now: clock.now() });
    return { ...found, state: 'written', sentences, withheld };
  } catch (err) {
    if (err instanceof TooManyRequests) return { ...found, failure: 'tooMany' };
    if (err instanceof ClientError) return { ...found, failure: 'unanswered' };
    throw err;
  }
}

/** Days that sentences are kept. */
export const ANSWER_CACHE_DAYS = 7;

/** A hash that changes with the question, the model, or anything in a passage. */
function answerFingerprint(
  question: string | undefined,
  passages: readonly PassageWithConsent[],
  { model, host }: AiService,
) {
  const all = JSON.stringify([model, host, question ?? null, passages]);
  return createHash('sha256').update(all).digest('hex');
}
