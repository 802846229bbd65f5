import type { CrmClient } from '../../../clients/crm/types.ts';
import type { Timed } from '../../../lib/clock.ts';
import type { Db, UserKey } from '../../../lib/db.ts';
import { mondayOf, subtractDays, sundayOf } from '../../../lib/timezones.ts';
import { getSettingsWithSchedule } from '../../base/settings/service.ts';
import { PLAN_LIMITS } from '../../billing/rules.ts';
import { getPayment } from '../../billing/service.ts';
import { type CrmLink, describeLoadedLinks } from '../../contacts/matching/describeLinks.ts';
import { getConnection } from '../../crm/repo.ts';
import { getDigestDay, hasDigests, listDigestDays } from '../../digests/repo.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import { needsDecision } from '../../messenger/consent/rules.ts';
import type { AiService } from '../../messenger/consent/schema.ts';
import { getActiveChoices } from '../../messenger/consent/service.ts';
import { listAccounts } from '../../messenger/repo.ts';
import { countWaitingNotes } from '../../outbox/notes/service.ts';
import { countPromises } from '../../promises/agenda/repo.ts';
import { getAgenda } from '../../promises/agenda/service.ts';
import { toUserMoment } from '../../promises/rules.ts';
import { getWaiting } from '../../promises/waiting/service.ts';
import { findLatest, findNextSync } from '../../sync/service.ts';
import { waitsForReview } from '../review/service.ts';
import { countForNavigation, listDigestsWithNotes, listTopOfDays, type TopOfDay } from './repo.ts';

/** Limit of waiting people on the page; the page of promises has the others. */
const MAX_WAITING_SHOWN = 5;

export type TodayDeps = Timed & { aiService: AiService | undefined; crm: Pick<CrmClient, 'ownKey'> | undefined };

/** Promises read for the current day: all on Today, those in its sidebar, or only counts. */
type PromisesRead = 'all' | 'sidebar' | 'counts';

/** Everything Today shows of one day. @param day YYYY-MM-DD; undefined for the user's present day */
export async function getDay(deps: TodayDeps, { userId, day }: UserKey & { day: string | undefined }) {
  return getDayIn(deps, await getTodayContext(deps, { userId }), { userId, day });
}

/** The part of Today that is the same for any day, and the data that determines the present day; read first, in parallel. */
export async function getTodayContext(deps: TodayDeps, { userId }: UserKey) {
  const [{ config, nextRunAt }, { job, readUntil, readBefore }, accounts, crm, payment, choices] = await Promise.all([
    getSettingsWithSchedule(deps, { userId }),
    findLatest(deps.db, userId),
    listAccounts(deps.db, userId),
    getConnection(deps.db, userId),
    getPayment(deps, { userId }),
    getActiveChoices(deps, { userId }),
  ]);
  const { timezone, waitingDays } = config;
  const { aiService } = deps;
  const connected = accounts.filter(({ status }) => status !== 'inactive').map(({ id }) => id);
  return {
    ...toUserMoment(deps.clock.now(), timezone),
    timezone,
    /** Working days without an answer after which a question counts as waiting. */
    waitingDays,
    accounts,
    /** Accounts for which the person has yet to say who writes their digests. */
    unanswered: connected.filter(id => needsDecision(choices.ofAccounts.get(id), aiService)),
    aiService,
    crm,
    /** The operator set a key of one account, in place of an app that people sign in to. */
    hasCrmKey: deps.crm?.ownKey !== undefined,
    job,
    /** When the last sync that completed began; null before the first. */
    readUntil,
    /** When the last one of an earlier day that completed began. */
    readBefore,
    /** When the next daily sync begins; undefined when none will. */
    nextAt: findNextSync(accounts, nextRunAt),
    payment,
    limits: PLAN_LIMITS[payment.plan],
  };
}
export type TodayContext = Awaited<ReturnType<typeof getTodayContext>>;

/** Adds a day to the context. It is read later, and so has all digests of the sync in it. @param promises default `all` */
export async function getDayIn(
  { db, clock }: Pick<TodayDeps, 'db' | 'clock'>,
  context: TodayContext,
  { userId, day: requestedDay, promises = 'all' }: UserKey & { day: string | undefined; promises?: PromisesRead },
) {
  const { today, timeOfDay, timezone, waitingDays, crm } = context;
  const day = requestedDay ?? today;
  const userMoment = { today, timeOfDay };
  const [{ digests, noted, refused }, days, notesWaiting, { open, week }, agenda, waiting] = await Promise.all([
    listDigestsWithNotes(db, { userId, date: day }),
    listDigestDays(db, { userId, since: subtractDays(today, CHART_DAYS - 1), until: today }),
    crm.status === 'expired' ? countWaitingNotes(db, userId) : 0,
    countPromises(db, { userId, ...userMoment, monday: mondayOf(today), sunday: sundayOf(today) }),
    day === today && promises !== 'counts'
      ? getAgenda({ db }, { userId, ...userMoment, timezone, crm, hasClosed: promises === 'all' })
      : undefined,
    day === today
      ? getWaiting({ db, clock }, { userId, config: { timezone, waitingDays }, limit: MAX_WAITING_SHOWN })
      : undefined,
  ]);
  const isBegun = digests.length > 0 || days.length > 0 || (await hasDigests(db, { userId }));
  const links: ReadonlyMap<string, CrmLink> = describeLoadedLinks(
    digests.map(({ link }) => link),
    crm,
  );
  return {
    ...context,
    /** The day shown, YYYY-MM-DD. */
    day,
    /** Notes that wait until the person has signed in to the CRM again; 0 while it takes them. */
    notesWaiting,
    digests,
    /** CRM links by conversation. */
    links,
    /** The digests whose note is in the CRM, and why the notes of others were refused. */
    noted,
    refused,
    /** The days of the chart that have digests, newest first. */
    days,
    /** Whether a digest was ever written, or at least tried. */
    isBegun,
    /** How much is open in each conversation that has an open promise. */
    open,
    /** How many of the week’s promises were due so far, and were kept. */
    week,
    /** The promises of the present day; undefined where another day is shown, or where they are only counted. */
    agenda,
    /** The first few unanswered questions of the current day. */
    waiting,
  };
}
export type DayOverview = Awaited<ReturnType<typeof getDayIn>>;

/** The day a digest is of, with everything Today shows of it. Throws NotFound for an unknown one and for another user's. */
export async function getDayOfDigest(deps: TodayDeps, { userId, digestId }: UserKey & { digestId: string }) {
  const [day, context] = await Promise.all([getDigestDay(deps.db, { userId, digestId }), getTodayContext(deps, { userId })]);
  return getDayIn(deps, context, { userId, day });
}

const MAX_DAYS_BEFORE = 2;
const ROWS_OF_A_DAY = 3;

export type DayBefore = TopOfDay & { links: ReadonlyMap<string, CrmLink> };

/** The two latest days before the present one that have digests, each with the first few of them. */
export async function getDaysBefore(
  { db }: { db: Db },
  { today, crm }: Pick<TodayContext, 'today' | 'crm'>,
  { userId }: { userId: string },
): Promise<DayBefore[]> {
  const since = subtractDays(today, CHART_DAYS - 1);
  const query = { userId, since, before: today, days: MAX_DAYS_BEFORE, limit: ROWS_OF_A_DAY };
  const tops = await listTopOfDays(db, query);
  return tops.map(top => {
    const links = top.digests.map(({ link }) => link);
    return { ...top, links: describeLoadedLinks(links, crm) };
  });
}

/** The numbers shown in the navigation of every page, in one statement. */
export async function countNavigation({ db, clock }: Timed, { userId }: { userId: string }) {
  const { due, open, candidates } = await countForNavigation(db, { userId, now: clock.now() });
  return { due, open, toReview: candidates.filter(waitsForReview).length };
}
