import { compareNews, isCoveredByLaterDay, isUrgent } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';

/** The filters of the page, in the order shown. `today` is the page without a filter. */
export const VIEWS = ['today', 'urgent', 'pinned', 'unmatched', 'everything', 'failed', 'skipped'] as const;
export type View = (typeof VIEWS)[number];

export type Groups = {
  /** Pinned ones first, then the greatest news. */
  written: Digest[];
  /** Failed, or left in the middle by a sync that is over. */
  notFinished: Digest[];
  /** Skipped digests, and failed ones that a later digest covers. */
  quiet: Digest[];
};

/** Number of digests per view; `today` counts due promises. */
export type Counts = Record<View, number>;

/** With fewer digests today, earlier days are shown below. */
export const MIN_DIGESTS_TODAY = 10;
/** Digests at the top of the page that are not pinned. */
export const MAX_NEWS = 3;
/** Digests at the top of the page, with pinned ones. */
const MAX_WITH_PINNED = 5;
/** Further digests on the page. */
const MAX_LINES = 10;

/** Sorts a day's digests into the groups of the page. While a sync runs, rows it has not got to yet are left out. */
export function groupDay(digests: Digest[], { syncRuns }: { syncRuns: boolean }): Groups {
  return {
    written: digests.filter(({ isWritten }) => isWritten).sort(byNews),
    notFinished: digests.filter(digest => isStuck(digest, syncRuns)).sort(byNewest),
    quiet: digests.filter(digest => digest.writingState === 'SKIPPED' || isCoveredByLaterDay(digest)).sort(byNewest),
  };
}

function byNews(one: Digest, other: Digest): number {
  const pinned = Number(other.dialog.isPinned) - Number(one.dialog.isPinned);
  return pinned || compareNews(one, other) || byNewest(one, other);
}

function isStuck(digest: Digest, syncRuns: boolean): boolean {
  if (digest.isCovered || digest.isWritten || digest.writingState === 'SKIPPED') return false;
  return digest.writingState === 'FAILED' || !syncRuns;
}

const byNewest = (a: Digest, b: Digest): number => (b.lastMessageAt?.getTime() ?? 0) - (a.lastMessageAt?.getTime() ?? 0);

/** The digests on the page without a filter: the first ones, those below them, the one after, and how many are left. */
export function chooseFrontDigests({ written }: Groups) {
  const shown = written.filter(({ dialog }) => !dialog.isMuted);
  const pinned = shown.filter(({ dialog }) => dialog.isPinned).length;
  const news = shown.slice(0, Math.min(pinned + MAX_NEWS, MAX_WITH_PINNED));
  const lines = shown.slice(news.length, news.length + MAX_LINES);
  return { news, lines, next: shown[news.length + lines.length], left: written.length - news.length - lines.length };
}

/** Whether a digest's conversation waits to be matched in the CRM. */
type IsUnmatched = (digest: Digest) => boolean;

/** @param due how many promises are due: the count of the page without a filter */
export function countViews(groups: Groups, { isUnmatched, due }: { isUnmatched: IsUnmatched; due: number }): Counts {
  const countOf = (view: View) => filterGroups(groups, view, isUnmatched).written.length;
  return {
    today: due,
    urgent: countOf('urgent'),
    pinned: countOf('pinned'),
    unmatched: countOf('unmatched'),
    everything: groups.written.length,
    failed: groups.notFinished.length,
    skipped: groups.quiet.length,
  };
}

const NOTHING: Groups = { written: [], notFinished: [], quiet: [] };

/** The groups with the rows of a view only. `urgent`, `pinned` and `unmatched` leave out muted conversations. */
export function filterGroups(groups: Groups, view: View, isUnmatched: IsUnmatched = () => false): Groups {
  const written = groups.written.filter(({ dialog }) => !dialog.isMuted);
  if (view === 'urgent') return { ...NOTHING, written: written.filter(isUrgent) };
  if (view === 'pinned') return { ...NOTHING, written: written.filter(({ dialog }) => dialog.isPinned) };
  if (view === 'unmatched') return { ...NOTHING, written: written.filter(isUnmatched) };
  if (view === 'failed') return { ...NOTHING, notFinished: groups.notFinished };
  if (view === 'skipped') return { ...NOTHING, quiet: groups.quiet };
  return { ...NOTHING, written: groups.written };
}

/** Cuts all groups, in their order on the page, to one page of rows: from 1, and the last one for those behind it. */
export function takePage(groups: Groups, { page: asked, size }: { page: number; size: number }) {
  const longest = Math.max(...Object.values(groups).map(rows => rows.length));
  const pages = Math.max(1, Math.ceil(longest / size));
  const page = Math.min(asked, pages);
  const cut = (rows: Digest[]) => rows.slice((page - 1) * size, page * size);
  return { written: cut(groups.written), notFinished: cut(groups.notFinished), quiet: cut(groups.quiet), page, pages };
}
