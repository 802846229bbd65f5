import type { CrmClient } from '../../../clients/crm/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db, Owner } from '../../../lib/db.ts';
import { dayBefore, localDay } from '../../../lib/timezones.ts';
import { clockTime } from '../../../lib/words.ts';
import { getSettingsWithSchedule } from '../../base/settings/service.ts';
import { PLAN_LIMITS, type PlanLimits } from '../../billing/rules.ts';
import { getPayment, type Payment } from '../../billing/service.ts';
import { type CrmLink, describeAll } from '../../contacts/matching/describeLinks.ts';
import { getConnection } from '../../crm/repo.ts';
import type { CrmConnection } from '../../crm/schema.ts';
import { type DigestDay, getDigestDay, hasDigests, listDigestDays } from '../../digests/repo.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';
import { needsDecision } from '../../messenger/consent/rules.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import { getActiveChoices } from '../../messenger/consent/service.ts';
import { listAccounts } from '../../messenger/repo.ts';
import type { MessengerAccount } from '../../messenger/schema.ts';
import { countWaitingNotes } from '../../outbox/notes/service.ts';
import type { OpenCounts } from '../../promises/agenda/repo.ts';
import { type Agenda, getAgenda, getOpenCounts } from '../../promises/agenda/service.ts';
import { getWaiting, type Waiting, type WaitingConfig } from '../../promises/waiting/service.ts';
import type { SyncJob } from '../../sync/schema.ts';
import { findLatest, findNextSync } from '../../sync/service.ts';
import { waitsForReview } from '../review/service.ts';
import { countForNavigation, listDigestsWithNotes, listTopOfDays, type TopOfDay } from './repo.ts';

/** Limit of waiting people on the page; the page of promises has the others. */
const WAITING = 5;

export type TodayDeps = {
  db: Db;
  clock: Clock;
  aiService: AiService | undefined;
  crm: Pick<CrmClient, 'ownKey'> | undefined;
};

/** The part of Today that is the same for any day, and the data that determines the present day. */
export type TodayContext = {
  /** The user's present day, YYYY-MM-DD. */
  today: string;
  timezone: string;
  /** Working days without an answer after which a question counts as waiting. */
  waitingDays: WaitingConfig['waitingDays'];
  accounts: MessengerAccount[];
  /** Accounts for which the person has yet to say who writes their digests. */
  unanswered: string[];
  aiService: AiService | undefined;
  crm: CrmConnection;
  /** The operator set a key of one account, in place of an app that people sign in to. */
  hasCrmKey: boolean;
  job: SyncJob | undefined;
  /** When the last sync that completed began; null before the first. */
  readUntil: Date | null;
  /** When the last one of an earlier day that completed began. */
  readBefore: Date | null;
  /** When the next daily sync begins; undefined when none will. */
  nextAt: Date | undefined;
  payment: Payment;
  limits: PlanLimits;
};

export type DayOverview = TodayContext & {
  /** The day shown, YYYY-MM-DD. */
  day: string;
  /** Notes that wait until the person has signed in to the CRM again; 0 while it takes them. */
  notesWaiting: number;
  digests: Digest[];
  /** CRM links by conversation. */
  links: ReadonlyMap<string, CrmLink>;
  /** The digests whose note is in the CRM. */
  noted: ReadonlySet<string>;
  /** Why the notes of other digests were refused. */
  refused: ReadonlyMap<string, string>;
  /** The days of the chart that have digests, newest first. */
  days: DigestDay[];
  /** Whether a digest was ever written, or at least tried. */
  isBegun: boolean;
  /** How much is open in each conversation that has an open promise. */
  open: ReadonlyMap<string, OpenCounts>;
  /** The promises of the present day; undefined where another day is shown, or where they are only counted. */
  agenda: Agenda | undefined;
  /** The first few unanswered questions of the current day. */
  waiting: Waiting | undefined;
};

/** Promises read for the current day: all on Today, those in its sidebar, or only counts. */
type PromisesRead = 'all' | 'sidebar' | 'counts';

/** Everything Today shows of one day. @param asked.day YYYY-MM-DD, default the user's present day */
export async function getDay(
  deps: TodayDeps,
  { userId, day }: Owner & { day: string | undefined },
): Promise<DayOverview> {
  return getDayIn(deps, await getTodayContext(deps, { userId }), { userId, day });
}

/** The part that is read first, in parallel. */
export async function getTodayContext(deps: TodayDeps, { userId }: Owner): Promise<TodayContext> {
  const [{ config, nextRunAt }, { job, readUntil, readBefore }, accounts, crm, payment, choices] = await Promise.all([
    getSettingsWithSchedule(deps, { userId }),
    findLatest(deps.db, userId),
    listAccounts(deps.db, userId),
    getConnection(deps.db, userId),
    getPayment(deps, { userId }),
    getActiveChoices(deps, { userId }),
  ]);
  const { timezone, waitingDays } = config;
  const today = localDay(deps.clock.now(), timezone);
  const { aiService } = deps;
  const connected = accounts.filter(({ status }) => status !== 'inactive').map(({ id }) => id);
  return {
    today,
    timezone,
    waitingDays,
    accounts,
    unanswered: connected.filter(id => needsDecision(choices.ofAccounts.get(id), aiService)),
    aiService,
    crm,
    hasCrmKey: deps.crm?.ownKey !== undefined,
    job,
    readUntil,
    readBefore,
    nextAt: findNextSync(accounts, nextRunAt),
    payment,
    limits: PLAN_LIMITS[payment.plan],
  };
}

/** Adds the day, read after the rest, so that it has all digests of the sync. @param asked.promises default `all` */
export async function getDayIn(
  { db, clock }: Pick<TodayDeps, 'db' | 'clock'>,
  around: TodayContext,
  { userId, day: requestedDay, promises = 'all' }: Owner & { day: string | undefined; promises?: PromisesRead },
): Promise<DayOverview> {
  const { today, timezone, waitingDays, crm } = around;
  const day = requestedDay ?? today;
  const userMoment = { today, timeOfDay: clockTime(clock.now(), timezone) };
  const [{ digests, noted, refused }, days, notesWaiting, open, agenda, waiting] = await Promise.all([
    listDigestsWithNotes(db, { userId, date: day }),
    listDigestDays(db, { userId, since: dayBefore(today, CHART_DAYS - 1), until: today }),
    crm.status === 'expired' ? countWaitingNotes(db, userId) : 0,
    getOpenCounts({ db }, { userId, ...userMoment }),
    day === today && promises !== 'counts'
      ? getAgenda({ db }, { userId, ...userMoment, timezone, crm, hasClosed: promises === 'all' })
      : undefined,
    day === today
      ? getWaiting({ db, clock }, { userId, config: { timezone, waitingDays }, limit: WAITING })
      : undefined,
  ]);
  const isBegun = digests.length > 0 || days.length > 0 || (await hasDigests(db, { userId }));
  const links = describeAll(
    digests.map(({ link }) => link),
    crm,
  );
  return {
    ...around,
    day,
    notesWaiting,
    digests,
    links,
    noted,
    refused,
    days,
    isBegun,
    open,
    agenda,
    waiting,
  };
}

/** The day a digest is of, with everything Today shows of it. Throws NotFound for an unknown one and for another user's. */
export async function getDayOfDigest(
  deps: TodayDeps,
  { userId, digestId }: Owner & { digestId: string },
): Promise<DayOverview> {
  const [day, around] = await Promise.all([
    getDigestDay(deps.db, { userId, digestId }),
    getTodayContext(deps, { userId }),
  ]);
  return getDayIn(deps, around, { userId, day });
}

const DAYS = 2;
const ROWS_OF_A_DAY = 3;

/** A day before the present one in brief. */
export type DayBefore = TopOfDay & { links: ReadonlyMap<string, CrmLink> };

/** The two latest days before the present one that have digests, each with the first few of them. */
export async function getDaysBefore(
  { db }: { db: Db },
  { today, crm }: Pick<TodayContext, 'today' | 'crm'>,
  { userId }: { userId: string },
): Promise<DayBefore[]> {
  const since = dayBefore(today, CHART_DAYS - 1);
  const query = { userId, since, before: today, days: DAYS, limit: ROWS_OF_A_DAY };
  const tops = await listTopOfDays(db, query);
  return tops.map(top => {
    const links = top.digests.map(({ link }) => link);
    return { ...top, links: describeAll(links, crm) };
  });
}

/** The numbers shown in the navigation of every page, in one statement. */
export async function countNavigation({ db, clock }: { db: Db; clock: Clock }, { userId }: { userId: string }) {
  const { due, open, candidates } = await countForNavigation(db, { userId, now: clock.now() });
  return { due, open, toReview: candidates.filter(waitsForReview).length };
}
