import { localDay } from '../../lib/timezones.ts';
import { clockTime, countOf, formatCount, longDay, nearDay } from '../../lib/words.ts';
import { type Digest, TOO_FEW_MESSAGES } from '../digests/schema.ts';
import type { MessengerAccount } from '../messenger/schema.ts';
import { presentSync } from '../sync/presentSync.ts';
import { isBuiltIn, presentDigest } from './presentDigest.ts';
import {
  type Counts,
  countViews,
  type Groups,
  groupDay,
  headline,
  narrow,
  takePage,
  VIEWS,
  type View,
} from './rules.ts';
import type { DayOverview } from './service.ts';

const ROWS_A_PAGE = 60;
const FAILED_ON_FIRST_PAGE = 10;
const QUIET_IN_FOLD = 20;

const VIEW_LABELS: Record<View, string> = {
  everything: 'Everything',
  urgent: 'Urgent',
  open: 'Open items',
  failed: 'Failed',
  skipped: 'Skipped',
};

type Asked = { view: View; page: number; now: Date };

/** Today as its view prints it: all counts, words and addresses. */
export function presentDay(overview: DayOverview, { view, page, now }: Asked) {
  const { day, today, timezone, accounts, days, job } = overview;
  const canSync = accounts.some(account => account.status === 'active');
  const sync = presentSync(job, canSync, { now, timezone });
  const isFirstSync = canSync && days.length === 0 && job?.state !== 'completed';
  const groups = groupDay(overview.digests, { syncRuns: sync.state === 'running' });
  const counts = countViews(groups);
  return {
    ...words(overview, groups, counts, { runs: sync.state === 'running', isFirstSync }),
    ...presentRows(overview, groups, { view, page }),
    date: longDay(day),
    isPast: day !== today,
    isEmpty: accounts.length === 0 && days.length === 0,
    isFirstSync,
    banner: brokenConnection(accounts),
    views: presentViews(counts, view, day, today),
    days: presentDays(overview, counts.everything),
    counts,
    view,
    viewLabel: VIEW_LABELS[view],
    failedHref: address(day, today, 'failed'),
    skippedHref: address(day, today, 'skipped'),
    canSync,
    sync,
  };
}

/** The rows of one page. The first page of everything also has the beginning of what failed and what was skipped. */
function presentRows({ day, today, timezone }: DayOverview, groups: Groups, { view, page }: Omit<Asked, 'now'>) {
  const isFront = view === 'everything' && page === 1;
  const { pages, ...shown } = takePage(narrow(groups, view), { page, size: ROWS_A_PAGE });
  const written = [...shown.needsYou, ...shown.worthKnowing];
  const rows = (digests: Digest[]) => digests.map(digest => presentDigest(digest, { today, timezone }));
  return {
    needsYou: { rows: rows(shown.needsYou), total: view === 'everything' ? groups.needsYou.length : undefined },
    worthKnowing: { rows: rows(shown.worthKnowing), total: groups.worthKnowing.length },
    notFinished: rows(isFront ? groups.notFinished.slice(0, FAILED_ON_FIRST_PAGE) : shown.notFinished),
    moreFailed: isFront ? Math.max(0, groups.notFinished.length - FAILED_ON_FIRST_PAGE) : 0,
    quiet: rows(isFront ? groups.quiet.slice(0, QUIET_IN_FOLD) : shown.quiet),
    moreQuiet: isFront ? Math.max(0, groups.quiet.length - QUIET_IN_FOLD) : 0,
    quietWords: quietWords(groups.quiet),
    isBasic: written.length > 0 && written.every(isBuiltIn),
    pages: presentPages({ page, pages, href: number => address(day, today, view, number) }),
  };
}

type Syncing = { runs: boolean; isFirstSync: boolean };

function words(overview: DayOverview, groups: Groups, counts: Counts, { runs, isFirstSync }: Syncing) {
  const isPast = overview.day !== overview.today;
  if (runs && !isPast && overview.digests.every(digest => digest.summary === '')) {
    return { headline: 'Reading your conversations.', sub: 'The first digests are ready in a minute or two.' };
  }
  if (isFirstSync) {
    return { headline: 'Nothing is read yet.', sub: 'The first sync reads the newest messages of the last two weeks.' };
  }
  const line = headline(groups, { isPast });
  const ending = isPast || counts.everything === 0 ? undefined : endOfBroken(overview);
  const [first = line] = line.split(/(?<=\.) /);
  return { headline: ending ? `${first} ${ending}` : line, sub: subWords(counts, runs && !isPast) };
}

function subWords(counts: Counts, runs: boolean): string {
  const all = counts.everything + counts.failed + counts.skipped;
  if (all === 0) return '';
  const parts = [
    `${countOf(counts.everything, 'digest', 'digests')} from ${countOf(all, 'conversation', 'conversations')}.`,
    ...(counts.skipped > 0 ? [`${formatCount(counts.skipped)} ${counts.skipped === 1 ? 'was' : 'were'} quiet.`] : []),
    ...(counts.failed > 0 ? [`${formatCount(counts.failed)} could not be finished.`] : []),
    ...(runs ? ['A sync is running; new digests are offered here when it is done.'] : []),
  ];
  return parts.join(' ');
}

/** "This digest ends yesterday at 22:40." once no account can be read any more. */
function endOfBroken({ accounts, today, timezone }: DayOverview): string | undefined {
  const broken = accounts.filter(account => account.status !== 'active');
  const last = broken.map(account => account.lastUsedAt?.getTime() ?? 0).sort((a, b) => b - a)[0];
  if (!last || broken.length < accounts.length) return undefined;
  const moment = new Date(last);
  const day = nearDay(localDay(moment, timezone), today);
  const dayWords = /^(Today|Yesterday)$/.test(day) ? day.toLowerCase() : `on ${day}`;
  return `This digest ends ${dayWords} at ${clockTime(moment, timezone)}.`;
}

type Banner = { tone: 'alert'; title: string; text: string; link: { href: string; label: string; primary: true } };

const BROKEN: Record<Exclude<MessengerAccount['status'], 'active'>, { title: string; text: string }> = {
  expired: {
    title: 'Telegram signed Forenoon out',
    text: 'New messages are not read until you connect again. Your digests stay.',
  },
  banned: { title: 'Telegram has banned this account', text: 'New messages can not be read. Your digests stay.' },
  inactive: { title: 'Telegram is disconnected', text: 'New messages are not read. Your digests stay.' },
};

/** An expired account is said even when another works; one the person disconnected only when none is left. */
function brokenConnection(accounts: MessengerAccount[]): Banner | undefined {
  const status = accounts.some(account => account.status === 'active')
    ? accounts.find(account => account.status === 'expired')?.status
    : accounts.map(account => account.status).sort()[0];
  if (!status || status === 'active') return undefined;
  return { tone: 'alert', ...BROKEN[status], link: { href: '/connect', label: 'Connect again', primary: true } };
}

function quietWords(quiet: Digest[]): string {
  const who = countOf(quiet.length, 'conversation', 'conversations');
  if (!quiet.every(digest => digest.reason === TOO_FEW_MESSAGES)) return `${who} left out`;
  return `${who} ${quiet.length === 1 ? 'was' : 'were'} too quiet for a digest`;
}

/** "Everything" is the plain page; a view without rows is no link, and one alone is no choice. */
function presentViews(counts: Counts, current: View, day: string, today: string) {
  const shown = VIEWS.filter(view => view === 'everything' || view === current || counts[view] > 0);
  if (shown.length === 1) return [];
  return shown.map(view => ({
    label: VIEW_LABELS[view],
    count: formatCount(counts[view]),
    href: address(day, today, view),
    isCurrent: view === current,
  }));
}

function presentDays({ days, day, today }: DayOverview, shown: number) {
  const dates = new Map(days.map(({ date, total }) => [date, total]));
  if (!dates.has(today)) dates.set(today, 0);
  dates.set(day, shown);
  return [...dates]
    .sort(([a], [b]) => b.localeCompare(a))
    .map(([date, total]) => ({
      label: nearDay(date, today),
      count: formatCount(total),
      href: address(date, today, 'everything'),
      isCurrent: date === day,
    }));
}

function presentPages({ page, pages, href }: { page: number; pages: number; href: (page: number) => string }) {
  return {
    words: pages > 1 ? `Page ${page} of ${pages}` : '',
    before: page > 1 ? href(page - 1) : undefined,
    next: page < pages ? href(page + 1) : undefined,
  };
}

function address(day: string, today: string, view: View, page = 1): string {
  const query = new URLSearchParams();
  if (day !== today) query.set('day', day);
  if (view !== 'everything') query.set('view', view);
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `/today?${query}` : '/today';
}
