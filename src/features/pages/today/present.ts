import { presentPages } from '../../../lib/paging.ts';
import {
  choosePlural,
  formatCount,
  formatDayInSentence,
  formatLongDay,
  formatNearDay,
  formatQuantity,
  formatUntil,
} from '../../../lib/words.ts';
import { describeHold, type Hold } from '../../crm/present.ts';
import { unfilledRequirements } from '../../crm/rules.ts';
import { markRow } from '../../digests/markRow.ts';
import { isQuoted, presentDigest } from '../../digests/present.ts';
import { type Digest, OVER_PLAN, TOO_FEW_MESSAGES } from '../../digests/schema.ts';
import { MAX_RESULTS, SEARCHED_DAYS, type SearchResult } from '../../digests/service.ts';
import { canBeRead } from '../../messenger/rules.ts';
import { countDue, describeOpen, presentAgenda, sumCounts } from '../../promises/agenda/present.ts';
import { presentWaiting } from '../../promises/waiting/present.ts';
import { beginToFollow, pollPath, presentSync } from '../../sync/present.ts';
import { askAddress } from '../ask/present.ts';
import { isQuestion } from '../ask/rules.ts';
import { connectionBanners, listBanners } from './listBanners.ts';
import type { SinceLastVisit } from './repo.ts';
import {
  type Counts,
  chooseFrontDigests,
  countViews,
  filterGroups,
  type Groups,
  groupDay,
  MIN_DIGESTS_TODAY,
  takePage,
  VIEWS,
  type View,
} from './rules.ts';
import { todayPath } from './schema.ts';
import type { DayBefore, DayOverview } from './service.ts';
import { writeHeadline } from './writeHeadline.ts';

const ROWS_A_PAGE = 60;
const FAILED_ON_FRONT = 3;
const QUIET_IN_FOLD = 20;

type DayView = {
  view: View;
  page: number;
  now: Date;
  /** Digests that arrived since the page was last viewed. */
  arrived?: ReadonlySet<string>;
  /** News since the last visit on an earlier day. */
  news?: SinceLastVisit | undefined;
};

/** Today as its view prints it: all counts, words and addresses. */
export function presentDay(overview: DayOverview, dayView: DayView) {
  const frame = presentWithoutRows(overview, dayView);
  const { news, now } = dayView;
  const about = { now, timezone: overview.timezone };
  const { arrived, allNew } = newsOfDigests(overview.digests, { ...dayView, ...about });
  const rows = presentRows(overview, frame.groups, { ...dayView, ...(arrived && { arrived }) });
  return { ...frame, ...rows, allNew, agenda: frame.agenda && markNewPromises(frame.agenda, news, about) };
}

/** The address of the others who wait. */
const WAITING_URL = '/promises?view=waiting';

/** The page without its rows, for a list or search results. */
export function presentWithoutRows(overview: DayOverview, { view, page, now }: DayView) {
  const { day, today, timezone, accounts, isBegun, job, waiting } = overview;
  const canSync = accounts.some(account => canBeRead(account, now));
  const sync = presentSync(job, canSync, { now, timezone, nextAt: overview.nextAt, readUntil: overview.readUntil });
  const runs = sync.state === 'running';
  const isFirstSync = accounts.some(({ status }) => status === 'active') && !isBegun && job?.state !== 'completed';
  const groups = groupDay(overview.digests, { syncRuns: runs });
  const due = countDue(sumCounts(overview.open));
  const counts = countViews(groups, { isUnmatched: createUnmatchedTest(overview), due });
  const isBroken = accounts.length > 0 && (!canSync || job?.state === 'failed');
  const about = { now, today, timezone, canStart: canSync && !runs };
  const here = todayPath({ day: dayAsked(overview), view, page });
  return {
    ...writeHeadline(overview, { now, groups, counts, runs, isFirstSync, isBroken }),
    date: formatLongDay(day),
    isPast: day !== today,
    isEmpty: accounts.length === 0 && !isBegun,
    isFirstSync,
    banners: listBanners(overview, now),
    connectionBroken: connectionBanners(accounts, about).length > 0,
    views: listViews(counts, view, { day: dayAsked(overview), q: '' }),
    here,
    days: presentDays(overview, counts.everything),
    counts,
    groups,
    view,
    say: announceRows(view, counts),
    viewLabel: VIEW_LABELS[view],
    isFront: view === 'today',
    failedHref: todayPath({ day: dayAsked(overview), view: 'failed' }),
    skippedHref: todayPath({ day: dayAsked(overview), view: 'skipped' }),
    canRetry: about.canStart,
    sync: { ...sync, pollPath: pollPath(beginToFollow(sync, isFirstSync || hasNothingToMove(overview))) },
    agenda: overview.agenda && presentAgenda(overview.agenda, overview, about),
    waiting:
      waiting && presentWaiting(waiting, { here, more: waiting.count > waiting.waits.length ? WAITING_URL : undefined }),
  };
}

/** Without digests, the first may appear unrequested: nothing moves. */
function hasNothingToMove({ days, digests }: DayOverview): boolean {
  return days.length === 0 && digests.every(({ summary }) => summary === '');
}

/** The rows of one page. The plain page has a few of each kind, and links to the rest. */
function presentRows(overview: DayOverview, groups: Groups, { view, page: asked, now, arrived }: DayView) {
  const { today, timezone, links, noted, refused, crm, limits: plan } = overview;
  const isFront = view === 'today';
  const all = filterGroups(groups, view, createUnmatchedTest(overview));
  const { page, pages, ...shown } = takePage(all, { page: asked, size: ROWS_A_PAGE });
  const until = waitsUntil(overview, now);
  const ofNotes = unfilledRequirements(crm.requirements, 'notes');
  const held = new Map<string, Hold>();
  for (const [id, failure] of refused) {
    const hold = describeHold(failure, ofNotes);
    if (hold) held.set(id, hold);
  }
  const here = todayPath({ day: dayAsked(overview), view, page });
  const context = { today, timezone, links, noted, held, plan, waitsUntil: until, here, ...(arrived && { arrived }) };
  const rows = (digests: Digest[]) =>
    digests.map(digest => ({
      ...presentDigest(digest, context),
      promises: describeOpen(digest.dialogId, overview.open.get(digest.dialogId)),
    }));
  const everything = todayPath({ day: dayAsked(overview), view: 'everything' });
  const wholeList = { ...shown, opening: [], left: 0, next: undefined, moreFailed: 0, moreQuiet: 0 };
  const chosen = isFront ? chooseFrontRows(groups, Boolean(overview.agenda)) : wholeList;
  const written = [...chosen.opening, ...chosen.written];
  return {
    opening: rows(chosen.opening),
    lines: rows(chosen.written),
    rest: chosen.left > 0 ? `Show the other ${formatCount(chosen.left)}` : '',
    restHref: chosen.next ? `${everything}#d-${chosen.next.id}` : everything,
    total: formatCount(all.written.length - chosen.opening.length),
    notFinished: rows(chosen.notFinished),
    moreFailed: chosen.moreFailed,
    quiet: rows(chosen.quiet),
    moreQuiet: chosen.moreQuiet,
    quietWords: quietWords(groups.quiet),
    hasRoom: groups.written.length + groups.notFinished.length <= MIN_DIGESTS_TODAY,
    isQuoted: written.length > 0 && written.every(isQuoted),
    pages: presentPages({
      page,
      pages: isFront ? 1 : pages,
      href: number => todayPath({ day: dayAsked(overview), view, page: number }),
    }),
  };
}

/** The first digests of each kind. With an agenda, the day's news come above it. */
function chooseFrontRows(groups: Groups, hasAgenda: boolean) {
  const { news, lines, left, next } = chooseFrontDigests(groups);
  return {
    opening: hasAgenda ? news : [],
    written: hasAgenda ? lines : [...news, ...lines],
    left,
    next,
    notFinished: groups.notFinished.slice(0, FAILED_ON_FRONT),
    moreFailed: Math.max(0, groups.notFinished.length - FAILED_ON_FRONT),
    quiet: groups.quiet.slice(0, QUIET_IN_FOLD),
    moreQuiet: Math.max(0, groups.quiet.length - QUIET_IN_FOLD),
  };
}

/** The announcement for screen readers once the rows of a view are shown. */
function announceRows(view: View, counts: Record<View, number>): string {
  if (view === 'failed' || view === 'skipped') return formatQuantity(counts[view], 'conversation', 'conversations');
  return formatQuantity(view === 'today' ? counts.everything : counts[view], 'digest', 'digests');
}

/** End of the flood wait if it blocks all accounts; otherwise undefined. */
function waitsUntil({ accounts, timezone }: DayOverview, now: Date): string | undefined {
  const active = accounts.filter(account => account.status === 'active');
  const [first] = active.map(account => account.floodUntil?.getTime() ?? 0).sort((a, b) => a - b);
  return first && first > now.getTime() ? formatUntil(new Date(first), { now, timezone }) : undefined;
}

/** The line under which conversations without a digest that need none are folded away. */
function quietWords(quiet: Digest[]): string {
  const who = formatQuantity(quiet.length, 'conversation', 'conversations');
  const [first] = quiet;
  const alike =
    first && quiet.every(({ writingState, reason }) => writingState === first.writingState && reason === first.reason);
  if (alike && first.reason === TOO_FEW_MESSAGES) {
    return `${who} ${choosePlural(quiet.length, 'was', 'were')} too quiet for a digest`;
  }
  return alike && first.reason === OVER_PLAN ? `${who} over your plan’s limit` : `${who} with no digest for this day`;
}

/** The address of a digest on this day's page: on the plain page if it is there. */
export function digestAddress(overview: DayOverview, digestId: string): string {
  const groups = groupDay(overview.digests, { syncRuns: false });
  const { news, lines } = chooseFrontDigests(groups);
  const day = dayAsked(overview);
  if ([...news, ...lines].some(({ id }) => id === digestId)) return `${todayPath({ day })}#d-${digestId}`;
  for (const view of ['everything', 'failed', 'skipped'] as const) {
    const rows = Object.values(filterGroups(groups, view)).flat();
    const position = rows.findIndex(({ id }) => id === digestId);
    if (position < 0) continue;
    return `${todayPath({ day, view, page: Math.floor(position / ROWS_A_PAGE) + 1 })}#d-${digestId}`;
  }
  return `${todayPath({ day, view: 'everything' })}#d-${digestId}`;
}

/** The day to put into addresses: none for the present day, so that they go on meaning it. */
const dayAsked = ({ day, today }: DayOverview): string | undefined => (day === today ? undefined : day);

/** As on Contacts: excludes groups, ignored people and matches to review. */
function createUnmatchedTest({ links }: Pick<DayOverview, 'links'>) {
  return ({ dialogId }: Digest) => {
    const link = links.get(dialogId);
    return link?.kind === 'none' && link.isUnmatched;
  };
}

/** The latest days before the present one in brief, each leading to its page. */
export function presentDaysBefore(
  before: DayBefore[],
  { today, timezone, days }: Pick<DayOverview, 'today' | 'timezone' | 'days'>,
) {
  const totals = new Map(days.map(({ date, total }) => [date, total]));
  return before.map(({ date, digests, links }) => {
    const total = totals.get(date) ?? digests.length;
    return {
      label: formatNearDay(date, today),
      total: formatCount(total),
      href: todayPath({ day: date }),
      more: total > digests.length ? `All ${formatQuantity(total, 'digest', 'digests')}` : '',
      rows: digests.map(digest => ({
        ...presentDigest(digest, { today, timezone, links, here: '/today' }),
        promises: undefined,
      })),
    };
  });
}

const DAYS_BESIDE = 5;

const VIEW_LABELS: Record<View, string> = {
  today: 'Today',
  urgent: 'Urgent',
  pinned: 'Pinned',
  unmatched: 'No match',
  everything: 'Everything',
  failed: 'Failed',
  skipped: 'Skipped',
};

type Among = { day: string | undefined; q: string };

/** A view without rows gets no link, and a single view is no choice. A search has no plain page. */
function listViews(counts: Counts, current: View, among: Among) {
  const plain: View = among.q === '' ? 'today' : 'everything';
  const shown = VIEWS.filter(view => view === plain || (view !== 'today' && (view === current || counts[view] > 0)));
  if (shown.length === 1) return [];
  return shown.map(view => ({
    key: view,
    label: view === 'today' && among.day ? 'The day' : VIEW_LABELS[view],
    count: view === 'today' && among.day ? '' : formatCount(counts[view]),
    href: todayPath({ ...among, view: view === plain ? 'today' : view }),
    isCurrent: view === current,
    isElsewhere: false,
  }));
}

/** The newest days and the one shown; the others are in a table. @param shown how many digests the shown day has */
export function presentDays({ days, day, today }: DayOverview, shown: number | undefined) {
  const dates = new Map(days.slice(0, DAYS_BESIDE).map(({ date, total }) => [date, total]));
  if (!dates.has(today)) dates.set(today, 0);
  if (shown !== undefined) dates.set(day, shown);
  const links = [...dates]
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([date, total]) => ({
      key: date,
      label: formatNearDay(date, today),
      count: formatCount(total),
      href: todayPath({ day: date === today ? undefined : date }),
      isCurrent: shown !== undefined && date === day,
      isElsewhere: false,
    }));
  const table = { href: todayPath({ view: 'table' }), isElsewhere: true };
  const earlier = { key: 'earlier', label: 'Earlier', count: '', isCurrent: false, ...table };
  return days.length > DAYS_BESIDE ? [...links, earlier] : links;
}

type Now = { now: Date; timezone: string };

/** Says of each promise on Today whether it came since the person last looked on an earlier day: `New since Thursday`. */
function markNewPromises(agenda: ReturnType<typeof presentAgenda>, news: SinceLastVisit | undefined, about: Now) {
  const since = news && `since ${formatDayInSentence(news.since, about)}`;
  const marked = <Row extends { id: string }>(rows: Row[]) =>
    rows.map(row => ({ ...row, newSince: news?.promises.has(row.id) ? since : undefined }));
  const { due, next, owed } = agenda;
  return {
    ...agenda,
    due: { ...due, rows: marked(due.rows) },
    next: { ...next, rows: marked(next.rows) },
    owed: { ...owed, rows: marked(owed.rows) },
  };
}

/** Digests marked as new. If all are, only the heading says so. */
function newsOfDigests(
  digests: readonly Digest[],
  { news, arrived, ...about }: Now & { news?: SinceLastVisit | undefined; arrived?: ReadonlySet<string> | undefined },
): { arrived: ReadonlySet<string> | undefined; allNew: string } {
  if (arrived || !news) return { arrived, allNew: '' };
  const written = digests.filter(({ isWritten }) => isWritten);
  if (written.some(({ id }) => !news.digests.has(id))) return { arrived: news.digests, allNew: '' };
  return { arrived: undefined, allNew: written.length > 0 ? `All new since ${formatDayInSentence(news.since, about)}` : '' };
}

type SearchPage = { view: View; page: number; today: string; timezone: string };

/** The search results, by day. */
export function describeSearch(found: SearchResult, { view: asked, today, timezone, ...which }: SearchPage) {
  const view = asked === 'today' ? 'everything' : asked;
  const groups = groupDay(found.digests, { syncRuns: false });
  const isUnmatched = createUnmatchedTest(found);
  const counts = countViews(groups, { isUnmatched, due: 0 });
  const shown = new Set(Object.values(filterGroups(groups, view, isUnmatched)).flat());
  const rows = found.digests.filter(digest => shown.has(digest));
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  const page = Math.min(which.page, pages);
  const byDay = Map.groupBy(rows.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE), ({ digestDate }) => digestDate);
  const q = found.typed;
  const here = todayPath({ q, view: asked, page });
  return {
    q,
    ask: isQuestion(q) ? askAddress(q) : '',
    words: foundWords(rows.length),
    say: rows.length > 0 ? foundWords(rows.length) : 'No results',
    nothing: `No results for “${q}”. Search looks at names, companies and summaries of the last ${SEARCHED_DAYS} days.`,
    days: [...byDay].map(([date, digests]) => ({
      label: formatNearDay(date, today),
      href: todayPath({ day: date === today ? undefined : date }),
      rows: digests.map(digest =>
        markRow(presentDigest(digest, { today, timezone, links: found.links, here }), digest, found.words),
      ),
    })),
    views: listViews(counts, view, { day: undefined, q }),
    here,
    pages: presentPages({ page, pages, href: number => todayPath({ q, view: asked, page: number }) }),
  };
}

function foundWords(count: number): string {
  return count >= MAX_RESULTS
    ? `The newest ${formatCount(MAX_RESULTS)} digests`
    : formatQuantity(count, 'digest', 'digests');
}
