import { NotFound } from '../../../lib/errors.ts';
import type { Queued } from '../../../lib/queue.ts';
import { addDays, localDay, subtractDays } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import type { ShownDigest } from '../../digests/schema.ts';
import { foldWords, MAX_RESULTS, SEARCHED_DAYS, searchDigests } from '../../digests/service.ts';
import { type Answer, askDigests } from '../../pages/ask/service.ts';
import type { Brief } from '../../pages/brief/schema.ts';
import { getBrief } from '../../pages/brief/service.ts';
import { listReadablePromises } from '../../promises/repo.ts';
import { toUserMoment } from '../../promises/rules.ts';
import type { ListInput } from '../../promises/schema.ts';
import { changePromise, getPromises } from '../../promises/service.ts';
import { getWaiting } from '../../promises/waiting/service.ts';
import { findReadableDialogs } from '../repo.ts';
import { isReadable, listReadableDigests } from './repo.ts';
import { MAX_ROWS } from './schema.ts';

/** The user whose data a tool reads, and the token, which decides which conversations it may read. */
export type Caller = { userId: string; tokenId: string };

const MAX_DIGESTS = 20;
const MAX_WAITING_QUESTIONS = 20;

/** The present day as Today has it, so without muted conversations, and without those that may not be read. */
export async function readToday({ db, clock }: Queued, caller: Caller) {
  const { userId } = caller;
  const [config, { unmuted: among, leftOut }] = await Promise.all([
    getSettings({ db }, { userId }),
    findReadableDialogs(db, caller),
  ]);
  const { timezone } = config;
  const moment = toUserMoment(clock.now(), timezone);
  const { today } = moment;
  const open = { userId, ...moment, state: 'open', among, limit: MAX_ROWS + 1 } as const;
  const mine = { ...open, direction: 'mine' } as const;
  const ofToday = { dueAfter: subtractDays(today, 1), dueBefore: addDays(today, 1) };
  const [due, perhapsSettled, dates, owed, { waits }, digests] = await Promise.all([
    listReadablePromises(db, { ...mine, list: 'due' }),
    listReadablePromises(db, { ...mine, list: 'perhapsSettled' }),
    listReadablePromises(db, { ...open, onlySharedDates: true, ...ofToday }),
    listReadablePromises(db, { ...open, list: 'owedToUser' }),
    getWaiting({ db, clock }, { userId, config, among, limit: MAX_WAITING_QUESTIONS + 1 }),
    listReadableDigests(db, { userId, today, among, limit: MAX_DIGESTS + 1 }),
  ]);
  return {
    today,
    timezone,
    due: due.slice(0, MAX_ROWS),
    perhapsSettled: perhapsSettled.slice(0, MAX_ROWS),
    dates: dates.slice(0, MAX_ROWS),
    owed: owed.slice(0, MAX_ROWS),
    waits: waits.slice(0, MAX_WAITING_QUESTIONS),
    digests: digests.slice(0, MAX_DIGESTS),
    isCut:
      [due, perhapsSettled, dates, owed].some(rows => rows.length > MAX_ROWS) ||
      waits.length > MAX_WAITING_QUESTIONS ||
      digests.length > MAX_DIGESTS,
    leftOut,
  };
}

export type Day = Awaited<ReturnType<typeof readToday>>;

export type FoundDigests = { digests: ShownDigest[]; hasMore: boolean; leftOut: number };

/** The digests of the last 90 days that contain all these words, in conversations that may be read, newest first. */
export async function searchCovered(
  { db, clock }: Queued,
  caller: Caller,
  { query, page, limit }: { query: string; page: number; limit: number },
): Promise<FoundDigests> {
  const { userId } = caller;
  const [{ timezone }, { among, leftOut }, words] = await Promise.all([
    getSettings({ db }, { userId }),
    findReadableDialogs(db, caller),
    // Postgres stores no NUL.
    foldWords(db, query.replaceAll('\0', '')),
  ]);
  if (words.length === 0) return { digests: [], hasMore: false, leftOut };
  const first = (page - 1) * limit;
  const since = subtractDays(localDay(clock.now(), timezone), SEARCHED_DAYS - 1);
  // The limit counts only conversations that may be read.
  const enough = Math.min(MAX_RESULTS, first + limit + 1);
  const found = await searchDigests(db, { userId, words, since, among, limit: enough });
  return { digests: found.slice(first, first + limit), hasMore: found.length > first + limit, leftOut };
}

export type CoveredAnswer = { answer: Answer; leftOut: number };

/** Answers a question from the conversations that the assistant may read. */
export async function askCovered(deps: Queued, caller: Caller, { question: typed }: { question: string }) {
  const { userId } = caller;
  const { among, leftOut } = await findReadableDialogs(deps.db, caller);
  return { answer: await askDigests(deps, { userId, typed, among }), leftOut };
}

export type Briefed = { brief: Brief; leftOut: number };

/** Throws NotFound, also for a conversation that may not be read. */
export async function briefCovered(
  { db, clock }: Queued,
  caller: Caller,
  { conversationId }: { conversationId: string },
): Promise<Briefed> {
  const { userId } = caller;
  const { among, leftOut } = await findReadableDialogs(db, caller);
  const query = { userId, dialogId: conversationId.toLowerCase(), among };
  // The address of a contact's record is of no use without an account there.
  return { brief: await getBrief({ db, clock, crm: undefined }, query), leftOut };
}

export type PromisePage = Awaited<ReturnType<typeof listForAssistant>>;

/** A page of the promises in one state, in conversations that may be read. */
export async function listForAssistant(deps: Queued, caller: Caller, filters: Omit<ListInput, 'dialogId'>) {
  const { among, leftOut } = await findReadableDialogs(deps.db, caller);
  const page = await getPromises(deps, { ...filters, userId: caller.userId, among });
  return { ...page, leftOut };
}

/** Throws NotFound, also for a promise of a conversation that may not be read; Conflict if its state doesn't allow it. */
export async function completeForAssistant(deps: Queued, caller: Caller, { promiseId }: { promiseId: string }) {
  const { userId } = caller;
  const { among } = await findReadableDialogs(deps.db, caller);
  if (!(await isReadable(deps.db, { userId, promiseId, among }))) throw new NotFound('promise');
  return changePromise(deps, { userId, promiseId, change: { action: 'done' } });
}
