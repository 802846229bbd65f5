import { isolated } from '../../../lib/textDirection.ts';
import { dayAfter } from '../../../lib/timezones.ts';
import { countOf, formatCount } from '../../../lib/words.ts';
import { describeClosed, describeRow, laterDays } from '../../promises/list/describeRow.ts';
import type { SourcedPromise } from '../../promises/schema.ts';
import type { Part, PromiseInPart } from './repo.ts';

type Where = {
  dialogId: string;
  today: string;
  now: Date;
  timezone: string;
  /** What the other side is called in a heading. */
  short: string;
};

const VIEWS = { mine: 'yours', theirs: 'theirs', unassigned: 'unassigned' } as const;

/** What a conversation promised, both ways, and what became of it. */
export function describePromises(listed: PromiseInPart[], where: Where) {
  const groups = (['mine', 'theirs', 'unassigned'] as const).flatMap(part => openGroup(part, listed, where));
  const open = groups.reduce((sum, { total }) => sum + total, 0);
  const putOff = totalOf(listed, 'putOff');
  const closed = listed.filter(({ part }) => part === 'closed').map(({ promise }) => describeClosed(promise, where));
  return {
    groups,
    open,
    putOff: putOff > 0 ? { words: `${formatCount(putOff)} put off`, href: address(where, 'put-off') } : undefined,
    closed: {
      rows: closed,
      total: totalOf(listed, 'closed'),
      count: formatCount(totalOf(listed, 'closed')),
      href: address(where, 'closed'),
    },
    later: laterDays(where.today),
    firstDay: dayAfter(where.today, 1),
  };
}

function totalOf(listed: PromiseInPart[], part: Part): number {
  return listed.find(one => one.part === part)?.total ?? 0;
}

/** The address on the promises page, which pages through them all. */
function address({ dialogId }: Where, view: string): string {
  return view === 'yours' ? `/promises?dialog=${dialogId}` : `/promises?view=${view}&dialog=${dialogId}`;
}

function openGroup(part: keyof typeof VIEWS, listed: PromiseInPart[], where: Where) {
  const view = VIEWS[part];
  const rows = listed.filter(one => one.part === part).map(({ promise }) => openRow(promise, view, where));
  const total = totalOf(listed, part);
  const rest = total - rows.length;
  if (rows.length === 0) return [];
  const more = rest > 0 ? { words: `Show the other ${formatCount(rest)}`, href: address(where, view) } : undefined;
  return [{ title: titleOf(part, where), view, rows, total, count: formatCount(total), more }];
}

function titleOf(part: keyof typeof VIEWS, { short }: Where) {
  const [before, after] = { mine: ['You owe', ''], theirs: ['', 'owes you'], unassigned: ['One of you', ''] }[part];
  return { before, name: part === 'unassigned' ? '' : short, after };
}

/** The page is about its conversation: a row says who said it and when instead. */
function openRow(promise: SourcedPromise, view: (typeof VIEWS)[keyof typeof VIEWS], where: Where) {
  const row = describeRow(promise, { ...where, view });
  const last = row.source.lines.at(-1);
  // The heading already says whom the page is about.
  const owner = row.owner === where.short ? '' : row.owner;
  return { ...row, owner, from: '', about: last ? `${isolated(last.name)}, ${last.when}` : '' };
}

/** What a day's digest says about its promises, which are listed at the top of the page. */
export function countPromises(ids: string[], settled: ReadonlySet<string>, dialogId: string) {
  if (ids.length === 0) return undefined;
  const closed = ids.filter(id => settled.has(id)).length;
  const words = countOf(ids.length, 'promise', 'promises');
  const all = ids.length > 1 ? 'all closed' : 'closed';
  const what = closed === 0 ? words : `${words}, ${closed === ids.length ? all : `${formatCount(closed)} closed`}`;
  return { words: what, href: `/conversations/${dialogId}#${closed === ids.length ? 'closed' : 'open'}` };
}
