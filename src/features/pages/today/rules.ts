import { isUrgent, isWritten, isWrittenLater } from '../../digests/rules.ts';
import type { Digest } from '../../digests/schema.ts';

/** What the page can be narrowed to, in the order shown. `today` is the plain page. */
export const VIEWS = ['today', 'urgent', 'pinned', 'unmatched', 'everything', 'failed', 'skipped'] as const;
export type View = (typeof VIEWS)[number];

export type Groups = {
  /** Pinned ones first, then urgent ones, then those with something due; within each, newest first. */
  written: Digest[];
  /** Failed, or left in the middle by a sync that is over. */
  notFinished: Digest[];
  /** Without a digest, and nothing to do about it: skipped, or failed and covered by a later digest. */
  quiet: Digest[];
};

/** How many digests each view has; `today` counts promises that are due. */
export type Counts = Record<View, number>;

/** With fewer digests on the present day, the days before are shown below. */
export const ROOM_FOR_MORE = 10;
/** How many digests the plain page shows in full: without pinned ones, and at most with them. */
const MOST_UNPINNED_IN_FULL = 3;
const MOST_IN_FULL = 5;
/** How many digests it shows in one line each. */
const MOST_LINES = 10;

type About = {
  syncRuns: boolean;
  /** Whether something is due in its conversation. */
  isDue?: (digest: Digest) => boolean;
};

/** Sorts a day's digests into the groups of the page. While a sync runs, rows it has not got to yet are left out. */
export function groupDay(digests: Digest[], { syncRuns, isDue = () => false }: About): Groups {
  const byWeight = (one: Digest, other: Digest) =>
    weightOf(other, isDue) - weightOf(one, isDue) || byNewest(one, other);
  return {
    written: digests.filter(isWritten).sort(byWeight),
    notFinished: digests.filter(digest => isStuck(digest, syncRuns)).sort(byNewest),
    quiet: digests.filter(digest => digest.writing === 'SKIPPED' || isWrittenLater(digest)).sort(byNewest),
  };
}

/** From 0 for nothing special to 3 for pinned. */
function weightOf(digest: Digest, isDue: (digest: Digest) => boolean): number {
  if (digest.dialog.isPinned) return 3;
  return isUrgent(digest) ? 2 : Number(isDue(digest));
}

function isStuck(digest: Digest, syncRuns: boolean): boolean {
  if (digest.isCovered || isWritten(digest) || digest.writing === 'SKIPPED') return false;
  return digest.writing === 'FAILED' || !syncRuns;
}

function byNewest(a: Digest, b: Digest): number {
  return (b.lastMessageAt?.getTime() ?? 0) - (a.lastMessageAt?.getTime() ?? 0);
}

/** What the plain page shows of the digests: a few in full, some in one line each, and how many are left. */
export function takeFront({ written }: Groups, isDue: (digest: Digest) => boolean) {
  const shown = written.filter(({ dialog }) => !dialog.isMuted);
  const pinned = shown.filter(({ dialog }) => dialog.isPinned).length;
  const room = Math.min(Math.max(pinned, MOST_UNPINNED_IN_FULL), MOST_IN_FULL);
  const full = shown.filter(digest => weightOf(digest, isDue) > 0).slice(0, room);
  const lines = shown.slice(full.length, full.length + MOST_LINES);
  return { full, lines, left: written.length - full.length - lines.length };
}

/** Whether a digest's conversation waits to be matched in the CRM. */
type IsUnmatched = (digest: Digest) => boolean;

/** @param about.due how many promises are due, which is what the plain page counts */
export function countViews(groups: Groups, { isUnmatched, due }: { isUnmatched: IsUnmatched; due: number }): Counts {
  const of = (view: View) => narrow(groups, view, isUnmatched).written.length;
  return {
    today: due,
    urgent: of('urgent'),
    pinned: of('pinned'),
    unmatched: of('unmatched'),
    everything: groups.written.length,
    failed: groups.notFinished.length,
    skipped: groups.quiet.length,
  };
}

const NOTHING: Groups = { written: [], notFinished: [], quiet: [] };

/** The rows of a view. Muted conversations are only in the one of everything. */
export function narrow(groups: Groups, view: View, isUnmatched: IsUnmatched = () => false): Groups {
  const written = groups.written.filter(({ dialog }) => !dialog.isMuted);
  if (view === 'urgent') return { ...NOTHING, written: written.filter(isUrgent) };
  if (view === 'pinned') return { ...NOTHING, written: written.filter(({ dialog }) => dialog.isPinned) };
  if (view === 'unmatched') return { ...NOTHING, written: written.filter(isUnmatched) };
  if (view === 'failed') return { ...NOTHING, notFinished: groups.notFinished };
  if (view === 'skipped') return { ...NOTHING, quiet: groups.quiet };
  return { ...NOTHING, written: groups.written };
}

/** Cuts all groups, in their order on the page, to one page of rows. `page` counts from 1. */
export function takePage(groups: Groups, { page, size }: { page: number; size: number }): Groups & { pages: number } {
  const cut = (rows: Digest[]) => rows.slice((page - 1) * size, page * size);
  const longest = Math.max(...Object.values(groups).map(rows => rows.length));
  return {
    written: cut(groups.written),
    notFinished: cut(groups.notFinished),
    quiet: cut(groups.quiet),
    pages: Math.max(1, Math.ceil(longest / size)),
  };
}
