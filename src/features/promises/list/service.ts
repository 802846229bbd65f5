import type { Timed } from '../../../lib/clock.ts';
import type { Db, UserKey } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import type { Queued } from '../../../lib/queue.ts';
import { addDays, isOnWeekend, subtractDays, sundayOf } from '../../../lib/timezones.ts';
import { getSettings } from '../../base/settings/service.ts';
import { foldWords } from '../../digests/service.ts';
import type { DialogChoice } from '../repo.ts';
import { toUserMoment, type UserMoment } from '../rules.ts';
import type { SourcedPromise, UserPromise } from '../schema.ts';
import { changeMany, findUserMoment } from '../service.ts';
import { getWaiting, type Waiting } from '../waiting/service.ts';
import { countDueGroups, type GroupCount, listDueGroups, listPeers, listUndoablePromises } from './repo.ts';
import type { DecisionQuery, DueGroup, PromisesQuery } from './schema.ts';

export const PER_GROUP = 50;
const MAX_PEERS = 300;
const DAYS_UNTIL_OLD = 30;

export type PromiseBoard = {
  today: string;
  timezone: string;
  now: Date;
  /** At most 50 per group. */
  rows: { group: DueGroup; promise: SourcedPromise }[];
  /** In the closed view: at most 50 that a rewrite dropped. */
  withdrawn: SourcedPromise[];
  counts: GroupCount[];
  /** At most 300 choices, including the selected one. */
  peers: DialogChoice[];
  changed: UserPromise[];
  /** Number of waiting people and, in their view, at most 50 of them. */
  waiting: Waiting;
};

/** The content of the page of promises. Throws NotFound for a conversation that is not this user's. */
export async function getBoard(deps: Timed, { userId, ...query }: UserKey & PromisesQuery): Promise<PromiseBoard> {
  const { db, clock } = deps;
  const now = clock.now();
  const [config, words] = await Promise.all([getSettings({ db }, { userId }), foldQuery(db, query.q)]);
  const { timezone } = config;
  const moment = toUserMoment(now, timezone);
  const { today } = moment;
  const days = { userId, ...moment, weekEnd: findEndOfWeekGroup(today), dialogId: query.dialog, words };
  const saidBefore = subtractDays(today, DAYS_UNTIL_OLD);
  const slice = { group: query.group, limit: PER_GROUP, offset: (query.page - 1) * PER_GROUP };
  const limit = query.view === 'waiting' ? PER_GROUP : 0;
  const showsWithdrawn = query.view === 'closed' && query.page === 1;
  const [rows, withdrawn, counts, peers, changed, waiting] = await Promise.all([
    query.view === 'waiting'
      ? []
      : listDueGroups(db, { ...days, ...slice, list: query.view, ...(query.old && { saidBefore }) }),
    showsWithdrawn ? listDueGroups(db, { ...days, ...slice, list: 'withdrawn' }) : [],
    countDueGroups(db, { ...days, saidBefore }),
    listPeers(db, { userId, dialogId: query.dialog, limit: MAX_PEERS }),
    findChanged(deps, { userId, ...moment, decided: query.changed }),
    getWaiting(deps, { userId, config, dialogId: query.dialog, words, limit, offset: slice.offset }),
  ]);
  if (query.dialog && !peers.some(({ id }) => id === query.dialog)) throw new NotFound('conversation');
  return { today, timezone, now, rows, withdrawn: withdrawn.map(({ promise }) => promise), counts, peers, changed, waiting };
}

export async function countBoard(deps: Timed, { userId, dialog, q }: UserKey & Pick<PromisesQuery, 'dialog' | 'q'>) {
  const [config, words] = await Promise.all([getSettings(deps, { userId }), foldQuery(deps.db, q)]);
  const moment = toUserMoment(deps.clock.now(), config.timezone);
  const days = { userId, ...moment, weekEnd: findEndOfWeekGroup(moment.today), dialogId: dialog, words };
  const [counts, waiting] = await Promise.all([
    countDueGroups(deps.db, { ...days, saidBefore: subtractDays(moment.today, DAYS_UNTIL_OLD) }),
    getWaiting(deps, { userId, config, dialogId: dialog, words, limit: 0 }),
  ]);
  return { counts, waiting };
}

/** The words searched for, folded; undefined if nothing is searched for. */
async function foldQuery(db: Db, q: string | undefined): Promise<string[] | undefined> {
  return q ? foldWords(db, q) : undefined;
}

/** Promises that were just changed, according to the query, which can be undone. */
export async function findChanged(
  { db }: { db: Db },
  { decided, ...owner }: UserKey & UserMoment & { decided: DecisionQuery | undefined },
): Promise<UserPromise[]> {
  return decided ? listUndoablePromises(db, { ...owner, ...decided }) : [];
}

/** The Sunday that ends the group `week`; on a weekend, that of the next week. @param day YYYY-MM-DD */
const findEndOfWeekGroup = (day: string): string => (isOnWeekend(day) ? addDays(sundayOf(day), 7) : sundayOf(day));

/**
 * Undoes all changes of one moment that still stand.
 * @returns the promises as they are now
 */
export async function undoBulk(deps: Queued, { userId, at }: UserKey & { at: Date }): Promise<UserPromise[]> {
  const changed = await listUndoablePromises(deps.db, { userId, ...(await findUserMoment(deps, { userId })), at });
  const { promises } = await changeMany(deps, { userId, ids: changed.map(({ id }) => id), change: { action: 'undo' } });
  return promises;
}
