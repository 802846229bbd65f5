import { dayAfter, localDay } from '../../lib/timezones.ts';
import { countOf, dayWords, formatCount } from '../../lib/words.ts';
import { isolateName } from '../../lib/writing.ts';
import { messageAddresses } from '../dialogs/rules.ts';
import { nameOf } from '../digests/describeAction.ts';
import { describeRow, laterDays, momentOf } from '../promisePage/describeRow.ts';
import type { SourcedPromise } from '../promises/schema.ts';
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

/** Of the page of promises, which pages them. */
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
  const [before, after] = { mine: ['You owe', ''], theirs: ['', 'owes you'], unassigned: ['Unassigned', ''] }[part];
  return { before, name: part === 'unassigned' ? '' : short, after };
}

/** Its conversation is the page: instead of it, who said it and when. */
function openRow(promise: SourcedPromise, view: (typeof VIEWS)[keyof typeof VIEWS], where: Where) {
  const row = describeRow(promise, { ...where, view });
  const last = row.source.lines.at(-1);
  // Whom the page is about is said by the heading.
  const owner = row.owner === where.short ? '' : row.owner;
  return { ...row, owner, from: '', about: last ? `${last.name}, ${last.when}` : '' };
}

const WORDS = { done: 'Kept', cancelled: 'Cancelled', dismissed: 'Not a task' } as const;

function describeClosed(promise: SourcedPromise, where: Where) {
  const { id, words, state, evidence, changedBy, changedAt, canUndo, dueDate, ...dialog } = promise;
  const isKept = state === 'done';
  const moment = evidence ? new Date(evidence.when) : changedAt;
  const isOnDay = isKept && !Number.isNaN(moment.getTime()) && localDay(moment, where.timezone) === dueDate;
  const peer = { ...dialog, peer: { kind: dialog.peerKind, id: dialog.peerKey } };
  return {
    id,
    words: isolateName(words, nameOf({ dialog })),
    isKept,
    what: isOnDay ? 'Kept on the day' : WORDS[state as keyof typeof WORDS],
    evidence: evidence && {
      who: evidence.who,
      when: momentOf(evidence.when, where),
      quote: evidence.words,
      links: messageAddresses(peer, evidence.messageIds),
    },
    // A decision of the person is its own evidence.
    by: evidence
      ? ''
      : `${changedBy === 'automatic' ? 'Closed automatically' : 'By you'}, ${dayWords(changedAt, where)}`,
    action: canUndo ? 'undo' : 'reopen',
  };
}

/** What a day's digest says of its promises, which are listed at the top of the page. */
export function countPromises(ids: string[], settled: ReadonlySet<string>, dialogId: string) {
  if (ids.length === 0) return undefined;
  const closed = ids.filter(id => settled.has(id)).length;
  const words = countOf(ids.length, 'promise', 'promises');
  const all = ids.length > 1 ? 'all closed' : 'closed';
  const what = closed === 0 ? words : `${words}, ${closed === ids.length ? all : `${formatCount(closed)} closed`}`;
  return { words: what, href: `/conversations/${dialogId}#${closed === ids.length ? 'closed' : 'open'}` };
}
