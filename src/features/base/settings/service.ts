import type { Timed } from '../../../lib/clock.ts';
import type { Db, UserKey } from '../../../lib/db.ts';
import { InvalidInput } from '../../../lib/errors.ts';
import { type DailyRun, findNextRun, isTimezone, localDay } from '../../../lib/timezones.ts';
import * as repo from './repo.ts';
import * as schema from './schema.ts';

const ZONE_UNKNOWN = 'The database doesn’t know this time zone. Choose another with the same time.';

/** The user's sync configuration, or the defaults as long as nothing was saved. */
export async function getSettings(deps: { db: Db }, { userId }: UserKey): Promise<schema.SyncConfig> {
  return (await getSettingsWithSchedule(deps, { userId })).config;
}

/** The settings with the next daily run and whether its digests are mailed. */
export async function getSettingsWithSchedule(deps: { db: Db }, { userId }: UserKey): Promise<schema.SettingsWithSchedule> {
  const noMail = { mailMode: 'OFF', ...schema.DEFAULT_WEEK_MAIL } as const;
  const nothingSaved: schema.SettingsWithSchedule = { config: { ...schema.DEFAULT_CONFIG }, nextRunAt: null, ...noMail };
  return (await repo.findSettingsWithSchedule(deps.db, userId)) ?? nothingSaved;
}

/** Makes sure that the user has stored settings (the defaults, if there were none) and a next run. */
export async function ensureSettings(deps: Timed, { userId }: UserKey) {
  await updateSettings(deps, { userId, changes: {} });
}

/** Reschedules the next digest in the same transaction. Throws InvalidInput for a zone that the database does not know. */
export async function updateSettings(
  deps: Timed,
  { userId, changes }: { userId: string; changes: schema.SettingsChanges },
): Promise<schema.SyncConfig> {
  return deps.db.transaction(async trx => {
    const before = await repo.lockSchedule(trx, userId);
    const { timezone } = changes;
    if (timezone && timezone !== before?.timezone && !(await repo.knowsZone(trx, timezone))) {
      throw new InvalidInput(ZONE_UNKNOWN, { timezone: ZONE_UNKNOWN });
    }
    const now = deps.clock.now();
    const config = await repo.upsertConfig(trx, userId, changes, now);
    const isSameTime = before?.syncTime === config.syncTime && before.timezone === config.timezone;
    if (!before?.next || !isSameTime) {
      await repo.setNext(trx, userId, runAfter(now, { ...config, lastDay: before?.lastDay ?? null }));
    }
    return config;
  });
}

/** A run whose user is busy is tried again after this time. */
const POSTPONE_MS = 60_000;

/** A user whose time has come, for the run of `day`, which may be before the user's `today`. */
export type DueUser = { userId: string; day: string; today: string };

/** What became of a due run: it began, or waits for a minute, as the user is busy. None if nothing is connected. */
export type RunResult = 'begun' | 'postponed';

type ClaimOptions = { limit: number; begin: (trx: Db, due: DueUser[]) => Promise<Map<string, RunResult>> };

/**
 * Claims up to `limit` users whose time has come, each for one caller only, hands them to `begin` and advances their
 * next run, all in one transaction. However late it is, a user gets one run. Returns how many were claimed.
 */
export async function claimDueUsers({ db, clock }: Timed, { limit, begin }: ClaimOptions): Promise<number> {
  return db.transaction(async trx => {
    const now = clock.now();
    const schedules = await repo.claimDueOfAllUsers(trx, { now, limit });
    const due = schedules.flatMap(({ userId, next, timezone }) =>
      next ? [{ userId, day: next.day, today: localDay(now, knownZone(timezone)) }] : [],
    );
    const outcomes = due.length > 0 ? await begin(trx, due) : new Map<string, RunResult>();
    await repo.saveNextRuns(
      trx,
      schedules.map(schedule => nextRunUpdate(schedule, outcomes.get(schedule.userId), now)),
    );
    return schedules.length;
  });
}

function nextRunUpdate(schedule: schema.Schedule, outcome: RunResult | undefined, now: Date): repo.NextRunUpdate {
  const { userId, next } = schedule;
  if (next && outcome === 'postponed') {
    return { userId, next: { at: new Date(now.getTime() + POSTPONE_MS), day: next.day }, lastDay: null };
  }
  const lastDay = next && outcome === 'begun' ? next.day : null;
  return { userId, next: runAfter(now, { ...schedule, lastDay: lastDay ?? schedule.lastDay }), lastDay };
}

/** Node versions add and remove time zones; a removed one must not stop everybody's digests. */
const knownZone = (timezone: string) => (isTimezone(timezone) ? timezone : schema.DEFAULT_SCHEDULE.timezone);

const TWO_DAYS_MS = 2 * 24 * 3_600_000;

/**
 * A day has only one run, even if its time is changed after that run. At most two days ahead, though: a last day further
 * off was written by a wrong clock, and must not keep anyone waiting.
 */
function runAfter(
  now: Date,
  { syncTime: time, timezone, lastDay }: Pick<schema.Schedule, 'syncTime' | 'timezone' | 'lastDay'>,
): DailyRun {
  const daily = { time, timezone: knownZone(timezone) };
  const first = findNextRun(now, daily);
  let run = first;
  while (lastDay !== null && run.day <= lastDay) {
    run = findNextRun(run.at, daily);
    if (run.at.getTime() > now.getTime() + TWO_DAYS_MS) return first;
  }
  return run;
}
