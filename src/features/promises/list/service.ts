import type { Clock } from '../../../lib/clock.ts';
import type { Db, Owner } from '../../../lib/db.ts';
import { NotFound } from '../../../lib/errors.ts';
import type { Queue } from '../../../lib/queue.ts';
import { dayAfter, dayBefore, isOnWeekend, localDay, sundayOf } from '../../../lib/timezones.ts';
import { clockTime } from '../../../lib/words.ts';
import { getSettings } from '../../base/settings/service.ts';
import { foldWords } from '../../digests/service.ts';
import type { SourcedPromise, UserPromise } from '../schema.ts';
import { changeMany } from '../service.ts';
import { getWaiting, type Waiting } from '../waiting/service.ts';
import { countGroups, type GroupCount, listChanged, listGroups, listPeers, type Peer } from './repo.ts';
import type { Decided, DueGroup, PromisesQuery } from './schema.ts';

type Deps = { db: Db; clock: Clock };

export const PER_GROUP = 50;
const MOST_PEERS = 300;
const DAYS_UNTIL_OLD = 30;

export type PromiseBoard = {
  today: string;
  timezone: string;
  now: Date;
  /** At most 50 of each group. */
  rows: { group: DueGroup; promise: SourcedPromise }[];
  /** In the view of closed ones: at most 50 that a rewrite of their digest left out. */
  withdrawn: SourcedPromise[];
  counts: GroupCount[];
  /** To choose from: at most 300, the chosen one among them. */
  peers: Peer[];
  /** Promises that were just changed, which can be undone. */
  changed: UserPromise[];
  /** How many people wait for an answer and, in the view of those who wait, at most 50 of them. */
  waiting: Waiting;
};

/** The content of the page of promises. Throws NotFound for a conversation that is not this user's. */
export async function getBoard(deps: Deps, { userId, ...asked }: Owner & PromisesQuery): Promise<PromiseBoard> {
  const { db, clock } = deps;
  const now = clock.now();
  const [config, words] = await Promise.all([getSettings({ db }, { userId }), wordsOf(db, asked.q)]);
  const { timezone } = config;
  const today = localDay(now, timezone);
  const present = { today, clock: clockTime(now, timezone) };
  const days = { userId, ...present, weekEnd: endOfWeekGroup(today), dialogId: asked.dialog, words };
  const saidBefore = dayBefore(today, DAYS_UNTIL_OLD);
  const slice = { group: asked.group, limit: PER_GROUP, offset: (asked.page - 1) * PER_GROUP };
  const limit = asked.view === 'waiting' ? PER_GROUP : 0;
  const lists = asked.view === 'closed' && asked.page === 1 ? (['withdrawn'] as const) : [];
  const [rows, withdrawn, counts, peers, changed, waiting] = await Promise.all([
    asked.view === 'waiting'
      ? []
      : listGroups(db, { ...days, ...slice, list: asked.view, ...(asked.old && { saidBefore }) }),
    Promise.all(lists.map(list => listGroups(db, { ...days, ...slice, list }))),
    countGroups(db, { ...days, saidBefore }),
    listPeers(db, { userId, dialogId: asked.dialog, limit: MOST_PEERS }),
    findChanged(deps, { userId, today, decided: asked.changed }),
    getWaiting(deps, { userId, config, dialogId: asked.dialog, words, limit, offset: slice.offset }),
  ]);
  if (asked.dialog && !peers.some(({ id }) => id === asked.dialog)) throw new NotFound('conversation');
  const withdrawnOnes = withdrawn.flat().map(({ promise }) => promise);
  return { today, timezone, now, rows, withdrawn: withdrawnOnes, counts, peers, changed, waiting };
}

type Deciding = Pick<PromisesQuery, 'dialog' | 'q'> & { deciding?: Promise<unknown> };

/** The page's counts. A decision under way is awaited first; counts that it doesn't affect are read meanwhile. */
export async function countBoard(deps: Deps, { userId, dialog, q, deciding }: Owner & Deciding) {
  const [config, words] = await Promise.all([getSettings(deps, { userId }), wordsOf(deps.db, q), deciding]);
  const now = deps.clock.now();
  const today = localDay(now, config.timezone);
  const clock = clockTime(now, config.timezone);
  const days = { userId, today, clock, weekEnd: endOfWeekGroup(today), dialogId: dialog, words };
  const [counts, waiting] = await Promise.all([
    countGroups(deps.db, { ...days, saidBefore: dayBefore(today, DAYS_UNTIL_OLD) }),
    getWaiting(deps, { userId, config, dialogId: dialog, words, limit: 0 }),
  ]);
  return { counts, waiting };
}

/** Undefined if nothing is searched for. */
async function wordsOf(db: Db, q: string | undefined): Promise<string[] | undefined> {
  return q ? foldWords(db, q) : undefined;
}

/** Promises that were just changed, according to the query, which can be undone. */
export async function findChanged(
  { db }: { db: Db },
  { decided, ...owner }: Owner & { today: string; decided: Decided | undefined },
): Promise<UserPromise[]> {
  return decided ? listChanged(db, { ...owner, ...decided }) : [];
}

/** The Sunday that ends the group `week`; on a weekend, that of the next week. @param day YYYY-MM-DD */
function endOfWeekGroup(day: string): string {
  return isOnWeekend(day) ? dayAfter(sundayOf(day), 7) : sundayOf(day);
}

/** Undoes everything that was decided at one moment and still stands. @returns the promises as they are now */
export async function undoBulk(
  deps: Deps & { queue: Queue },
  { userId, at }: Owner & { at: Date },
): Promise<UserPromise[]> {
  const today = localDay(deps.clock.now(), 'UTC');
  const changed = await listChanged(deps.db, { userId, today, at });
  const { promises } = await changeMany(deps, {
    userId,
    ids: changed.map(({ id }) => id),
    change: { action: 'undo' },
  });
  return promises;
}
