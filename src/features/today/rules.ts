import type { ActionItem } from '../../clients/summarizer/types.ts';
import { isUrgent, isWritten, isWrittenLater } from '../digests/rules.ts';
import type { Digest } from '../digests/schema.ts';

/** What the page can be narrowed to, in the order shown. */
export const VIEWS = ['everything', 'urgent', 'open', 'unmatched', 'failed', 'skipped'] as const;
export type View = (typeof VIEWS)[number];

export type Groups = {
  /** Urgent, or with something the user still owes. */
  needsYou: Digest[];
  worthKnowing: Digest[];
  /** Failed, or left in the middle by a sync that is over. */
  notFinished: Digest[];
  /** Without a digest, and nothing to do about it: skipped, or failed and covered by a later digest. */
  quiet: Digest[];
};

export type Counts = Record<View, number>;

/** Up to here the days before are shown below. */
export const ROOM_FOR_MORE = 54;

/** The user's own items that are not checked off. What others owe, or what is unassigned, doesn't count. */
export function openItems({ structured, ticked }: Digest): ActionItem[] {
  return structured.actionItems.filter(({ id, owner }) => owner === 'user' && !ticked.has(id));
}

/** Sorts a day's digests into the groups of the page. While a sync runs, rows it has not got to yet are left out. */
export function groupDay(digests: Digest[], { syncRuns }: { syncRuns: boolean }): Groups {
  const written = digests.filter(isWritten);
  const needsAct = (digest: Digest) => isUrgent(digest) || openItems(digest).length > 0;
  return {
    needsYou: written.filter(needsAct).sort(byPressure),
    worthKnowing: written.filter(digest => !needsAct(digest)).sort(byNewest),
    notFinished: digests.filter(digest => isStuck(digest, syncRuns)).sort(byNewest),
    quiet: digests.filter(digest => digest.writing === 'SKIPPED' || isWrittenLater(digest)).sort(byNewest),
  };
}

function isStuck(digest: Digest, syncRuns: boolean): boolean {
  if (digest.isCovered || isWritten(digest) || digest.writing === 'SKIPPED') return false;
  return digest.writing === 'FAILED' || !syncRuns;
}

/** Urgent first, then what is due first, then the newest. */
function byPressure(a: Digest, b: Digest): number {
  return Number(isUrgent(b)) - Number(isUrgent(a)) || firstDue(a).localeCompare(firstDue(b)) || byNewest(a, b);
}

const NO_DATE = '9999-12-31';

function firstDue(digest: Digest): string {
  const dates = openItems(digest).map(item => item.dueDate ?? NO_DATE);
  return dates.sort()[0] ?? NO_DATE;
}

function byNewest(a: Digest, b: Digest): number {
  return (b.lastMessageAt?.getTime() ?? 0) - (a.lastMessageAt?.getTime() ?? 0);
}

/** Whether a digest's conversation waits to be matched in the CRM. */
type IsUnmatched = (digest: Digest) => boolean;
const NONE: IsUnmatched = () => false;

export function countViews(groups: Groups, isUnmatched: IsUnmatched = NONE): Counts {
  const written = [...groups.needsYou, ...groups.worthKnowing];
  return {
    everything: written.length,
    urgent: written.filter(isUrgent).length,
    open: written.filter(digest => openItems(digest).length > 0).length,
    unmatched: written.filter(isUnmatched).length,
    failed: groups.notFinished.length,
    skipped: groups.quiet.length,
  };
}

const NOTHING: Groups = { needsYou: [], worthKnowing: [], notFinished: [], quiet: [] };

/** The rows of a view. "Everything" is every digest there is; conversations without one are listed beside it. */
export function narrow(groups: Groups, view: View, isUnmatched: IsUnmatched = NONE): Groups {
  if (view === 'urgent') return { ...NOTHING, needsYou: groups.needsYou.filter(isUrgent) };
  if (view === 'open') return { ...NOTHING, needsYou: groups.needsYou.filter(digest => openItems(digest).length > 0) };
  if (view === 'unmatched') {
    return { ...NOTHING, needsYou: [...groups.needsYou, ...groups.worthKnowing].filter(isUnmatched) };
  }
  if (view === 'failed') return { ...NOTHING, notFinished: groups.notFinished };
  if (view === 'skipped') return { ...NOTHING, quiet: groups.quiet };
  return { ...NOTHING, needsYou: groups.needsYou, worthKnowing: groups.worthKnowing };
}

/** Cuts all groups, in their order on the page, to one page of rows. `page` counts from 1. */
export function takePage(groups: Groups, { page, size }: { page: number; size: number }): Groups & { pages: number } {
  let skip = (page - 1) * size;
  let room = size;
  const take = (rows: Digest[]) => {
    const taken = rows.slice(skip, skip + room);
    skip = Math.max(0, skip - rows.length);
    room -= taken.length;
    return taken;
  };
  const total = Object.values(groups).reduce((sum, rows) => sum + rows.length, 0);
  return {
    needsYou: take(groups.needsYou),
    worthKnowing: take(groups.worthKnowing),
    notFinished: take(groups.notFinished),
    quiet: take(groups.quiet),
    pages: Math.max(1, Math.ceil(total / size)),
  };
}
