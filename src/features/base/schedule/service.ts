import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { type DailyRun, dayAfter, isTimezone, localDay, nextRun } from '../../../lib/timezones.ts';
import * as repo from './repo.ts';
import { claimDueOfAllUsers, type Move, moveOn } from './repo.ts';
import { DEFAULT_SCHEDULE, type Schedule } from './schema.ts';

type Deps = { db: Db; clock: Clock };

/** A run whose user is busy is tried again after this time. */
const POSTPONE_MS = 60_000;
/** Most next runs are within a day; a later one is checked. */
const CHECKED_AHEAD_MS = 25 * 3_600_000;
const CHECKED_AT_ONCE = 200;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** A user whose time has come, for the run of this day. */
export type DueUser = { userId: string; day: string };

/** The outcome of a due run: it began, is not needed (nothing is connected), or has to wait for a moment. */
export type Outcome = 'begun' | 'notNeeded' | 'postponed';

/** When the user's next daily run is; null before anything was saved or connected. */
export async function nextDailyRun({ db }: { db: Db }, { userId }: { userId: string }): Promise<Date | null> {
  return (await repo.findSchedule(db, userId))?.next?.at ?? null;
}

/** Makes sure that the user, who has settings, has a next run. */
export async function ensureNextRun({ db, clock }: Deps, { userId }: { userId: string }): Promise<void> {
  const schedule = await repo.lockSchedule(db, userId);
  if (schedule && !schedule.next) await repo.setNext(db, userId, runAfter(clock.now(), schedule));
}

type Rescheduled = {
  userId: string;
  before: Schedule | undefined;
  after: Pick<Schedule, 'syncTime' | 'timezone'>;
};

/** Recomputes the next run when its inputs have changed. Belongs in the transaction of the change. */
export async function reschedule({ db, clock }: Deps, { userId, before, after }: Rescheduled): Promise<void> {
  const { syncTime, timezone } = after;
  if (before?.next && before.syncTime === syncTime && before.timezone === timezone) return;
  const schedule = { next: null, lastDay: null, ...before, userId, syncTime, timezone };
  await repo.setNext(db, userId, runAfter(clock.now(), schedule));
}

/** A user's newest run. */
export type LastRun = { userId: string; day: string };
/** Of these users, those whose run began later than now, by a clock that was ahead. */
type FindBegunLater = (db: Db, runs: LastRun[], now: Date) => Promise<Set<string>>;

type Take = {
  limit: number;
  findBegunLater: FindBegunLater;
  begin: (trx: Db, due: DueUser[]) => Promise<Map<string, Outcome>>;
};

/**
 * Claims up to `limit` users whose time has come, each for one caller only, hands them to `begin` and advances their
 * next run, all in one transaction. However late it is, a user gets one run. Returns how many were claimed.
 */
export async function takeDue({ db, clock }: Deps, { limit, findBegunLater, begin }: Take): Promise<number> {
  return db.transaction(async trx => {
    const now = clock.now();
    const schedules = await claimDueOfAllUsers(trx, { now, limit });
    const repeated = schedules.filter(({ next, lastDay }) => next && lastDay !== null && next.day <= lastDay);
    const begunLater = await findBegunLater(trx, lastRunsOf(repeated), now);
    const had = new Set(repeated.filter(one => !isUnreal(one, now, begunLater)));
    const due = schedules.flatMap(one =>
      one.next && !had.has(one) ? [{ userId: one.userId, day: one.next.day }] : [],
    );
    const outcomes = due.length > 0 ? await begin(trx, due) : new Map<string, Outcome>();
    const moves = schedules.map(schedule => moveOf(schedule, outcomes.get(schedule.userId), now));
    await moveOn(trx, moves);
    return schedules.length;
  });
}

/**
 * Plans anew what a clock planned that was ahead: a next run is at most two days away, and a day that is yet to come has
 * had no run.
 */
export async function pullBack({ db, clock }: Deps, findBegunLater: FindBegunLater): Promise<void> {
  const now = clock.now();
  const ahead = new Date(now.getTime() + CHECKED_AHEAD_MS);
  for (let userId = LEAST_ID; ; ) {
    const found = await repo.listAheadOfAllUsers(db, { ahead, userId, limit: CHECKED_AT_ONCE });
    const begunLater = await findBegunLater(db, lastRunsOf(found), now);
    for (const schedule of found) {
      const { lastDay, timezone } = schedule;
      const isToCome =
        lastDay !== null && lastDay > localDay(now, zoneOf(timezone)) && isUnreal(schedule, now, begunLater);
      const next = runAfter(now, isToCome ? { ...schedule, lastDay: null } : schedule);
      if (schedule.next && next.at < schedule.next.at) await repo.bringForward(db, schedule, next);
    }
    if (found.length < CHECKED_AT_ONCE) return;
    userId = found.at(-1)?.userId ?? LEAST_ID;
  }
}

function lastRunsOf(schedules: Schedule[]): LastRun[] {
  return schedules.flatMap(({ userId, lastDay: day }) => (day === null ? [] : [{ userId, day }]));
}

/** Whether the last run was one of a day that is yet to come. Where the date line was crossed, tomorrow may have been. */
function isUnreal({ userId, lastDay, timezone }: Schedule, now: Date, begunLater: Set<string>): boolean {
  return begunLater.has(userId) || (lastDay ?? '') > dayAfter(localDay(now, zoneOf(timezone)), 1);
}

function moveOf(schedule: Schedule, outcome: Outcome | undefined, now: Date): Move {
  const { userId, next } = schedule;
  if (next && outcome === 'postponed') {
    return { userId, next: { at: new Date(now.getTime() + POSTPONE_MS), day: next.day }, lastDay: null };
  }
  const lastDay = next && outcome === 'begun' ? next.day : null;
  return { userId, next: runAfter(now, { ...schedule, lastDay: lastDay ?? schedule.lastDay }), lastDay };
}

/** A day has only one run, even if its time is changed after that run. */
function runAfter(now: Date, { syncTime: time, timezone, lastDay }: Schedule): DailyRun {
  const zone = zoneOf(timezone);
  let run = nextRun(now, { time, timezone: zone });
  while (lastDay !== null && run.day <= lastDay) run = nextRun(run.at, { time, timezone: zone });
  return run;
}

/** Node versions add and remove time zones; a removed one must not stop everybody's digests. */
function zoneOf(timezone: string): string {
  return isTimezone(timezone) ? timezone : DEFAULT_SCHEDULE.timezone;
}
