import { SUMMARY_STYLES } from '../../../clients/summarizer/types.ts';
import { findFailure } from '../../../lib/failures.ts';
import { addDays, mondayOf } from '../../../lib/timezones.ts';
import * as wording from '../../../lib/words.ts';
import { styleName } from '../../base/settings/present.ts';
import { describeHold } from '../../crm/present.ts';
import { unfilledRequirements } from '../../crm/rules.ts';
import { type DigestRow, NOTE_REJECTED, presentDigest } from '../../digests/present.ts';
import { dialogName } from '../../messenger/dialogs/rules.ts';
import type { Dialog } from '../../messenger/dialogs/schema.ts';
import { MESSAGES_GONE, REWRITE_LOST, type Rewrite, WRITTEN_MEANWHILE } from '../../sync/styleRewrites/schema.ts';
import { whyNotRewritable } from '../../sync/styleRewrites/service.ts';
import type { ConversationContext, TimelineRow } from './service.ts';

type EntryView = ReturnType<typeof describeEntry>;

const MAX_FACTS = 10;

type RowContext = { dialog: Dialog; context: ConversationContext };

/** The rows of a page under the headings of their weeks and months, newest first. */
export function describeTimeline(rows: TimelineRow[], about: RowContext & { isFirstPage: boolean; isRead: boolean }) {
  const { today } = about.context;
  const entries: { day: string; view: EntryView }[] = [];
  let before = about.isFirstPage && about.isRead ? today : undefined;
  for (const run of mergeRuns(rows, areAlike)) {
    const [newest, oldest] = [run[0], run.at(-1)];
    if (!newest || !oldest) continue;
    const { digestDate } = newest.digest;
    // Today itself may still bring something.
    const gap = before === undefined ? undefined : gapBetween(before, digestDate);
    if (gap) entries.push({ day: gap.to, view: gapEntry(gap, today) });
    before = oldest.digest.digestDate;
    // Messages add up over skipped days, so that the newest row of a run has the count of all.
    const view = { ...describeEntry(newest, about), day: spanWords({ from: before, to: digestDate }, today) };
    entries.push({ day: digestDate, view });
  }
  const groups = Map.groupBy(entries, ({ day }) => periodOf(day, today).title);
  return [...groups].map(([title, members]) => ({
    title,
    id: periodOf(members[0]?.day ?? today, today).id,
    count: members.filter(({ view }) => view.digest).length,
    entries: members.map(({ view }) => view),
  }));
}

/** Whether two rows share a line: both were skipped, for the same reason. */
function areAlike({ digest: one }: TimelineRow, { digest: next }: TimelineRow): boolean {
  const isQuiet =
    one.writingState === 'SKIPPED' && next.writingState === 'SKIPPED' && one.summary === '' && next.summary === '';
  return isQuiet && one.reason === next.reason && one.isCovered === next.isCovered;
}

function gapEntry(span: Span, today: string): EntryView {
  const nothing = { badge: undefined, isOverPlan: false, canRetry: false, digest: undefined };
  return { ...nothing, id: `gap-${span.to}`, day: spanWords(span, today), isOff: true, reason: 'Nothing new was read.' };
}

const DAYS_BY_NAME = 7;

function spanWords({ from, to }: Span, today: string) {
  if (from === to) return dayHeading(to, today);
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  const name =
    days <= DAYS_BY_NAME ? wording.formatWeekdaySpan(from, to) : `${days} ${wording.choosePlural(days, 'day', 'days')}`;
  return { name, date: wording.formatDateSpan(from, to, today) };
}

function dayHeading(day: string, today: string) {
  return { name: wording.formatWeekday(day), date: wording.formatDate(day, today) };
}

/** A timeline entry as `_entry.eta` prints it. */
export function describeEntry(row: TimelineRow, { dialog, context }: RowContext) {
  const { today, config, plan, syncRuns } = context;
  const { digest } = row;
  const here = `/conversations/${digest.dialogId}`;
  const shown = presentDigest(digest, { today, timezone: config.timezone, plan, here });
  const isWritten = digest.summary !== '';
  const isBeingWritten = ['PENDING', 'SUMMARIZING'].includes(digest.writingState) && syncRuns;
  const isTold = isWritten && whyNotRewritable(digest) === undefined;
  const reason = isBeingWritten ? 'Syncing now.' : shown.reason.replace(/^Too quiet: /, '');
  const badge = isBeingWritten ? { icon: 'clock', tone: 'is-mute', word: 'Writing' } : shown.badge;
  return {
    id: digest.id,
    day: dayHeading(digest.digestDate, today),
    /** Shown in small print: nothing was written for these days. */
    isOff: !isWritten,
    badge: isTold ? undefined : badge,
    reason: isTold ? '' : reason,
    isOverPlan: shown.isOverPlan,
    canRetry: digest.writingState === 'FAILED' && !digest.isCovered && !isTold && context.canSync,
    digest: isWritten ? presentWritten(row, shown, { dialog, context }) : undefined,
  };
}

function presentWritten(row: TimelineRow, shown: DigestRow, about: RowContext) {
  const { digest, rewrite } = row;
  const { config } = about.context;
  const ids = digest.structured.actionItems.map(({ id }) => id);
  const isOpen = whyNotRewritable(digest) === undefined && (!rewrite || rewrite.state === 'failed');
  return {
    ...shown,
    /** Number of the day's promises; the page lists them at the top. */
    promises: describePromiseCount(ids, digest.ticked, digest.dialogId),
    facts: factsOf(row, about.context.today),
    note: describeNote(row, about),
    // Named only where it isn't what the settings ask for.
    style: digest.style && digest.style !== config.summaryStyle ? `${styleName(digest.style)} style` : '',
    styles: isOpen
      ? SUMMARY_STYLES.map(value => ({ value, label: styleName(value), isCurrent: value === digest.style }))
      : [],
    rewrite: rewrite && describeRewrite(rewrite, about.context),
  };
}

function factsOf({ digest }: TimelineRow, today: string) {
  const { structured } = digest;
  const name = dialogName(digest.dialog);
  const plain = (text: string) => ({ text: wording.isolateName(text, name), when: '', href: undefined });
  const all = [
    {
      title: 'Meetings',
      lines: structured.meetings.flatMap(({ text, date }) =>
        date ? [{ ...plain(text), when: wording.formatShortDay(date, today) }] : [],
      ),
    },
    { title: 'Introductions', lines: structured.introductions.map(plain) },
    { title: 'Links', lines: structured.links.map(link => ({ ...plain(link), href: webAddress(link) })) },
  ];
  return all.filter(({ lines }) => lines.length > 0).map(fact => ({ ...fact, lines: fact.lines.slice(0, MAX_FACTS) }));
}

/** A link in a message may be anything. */
function webAddress(link: string): string | undefined {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function describeNote({ digest, note }: TimelineRow, { context, dialog }: RowContext) {
  if (!note) return undefined;
  if (note.state === 'failed') {
    const hold = describeHold(note.failure, unfilledRequirements(context.connection.requirements, 'notes'));
    return { ...(hold ?? { words: NOTE_REJECTED, href: `/contacts?id=${dialog.id}` }), icon: 'warn' };
  }
  if (note.isThere && note.state === 'written') {
    return { words: 'Note in CRM', href: context.contactUrl(note.contactId), icon: 'note' };
  }
  return { words: digest.status === 'SYNCING' ? 'Adding to the CRM' : 'Note waits', href: undefined, icon: 'clock' };
}

/** Reasons that only a rewrite can fail for. */
const REASONS: Record<string, string> = {
  [MESSAGES_GONE]: 'Its messages are no longer in Telegram.',
  [WRITTEN_MEANWHILE]: 'A sync has read newer messages since.',
  [REWRITE_LOST]: 'The rewrite was interrupted.',
};

/** The state of a digest's rewrite. While it is open, the row polls. */
function describeRewrite({ state, style, reason }: Rewrite, { syncRuns }: { syncRuns: boolean }) {
  const name = styleName(style);
  if (state === 'failed') {
    const why = REASONS[reason ?? ''] ?? findFailure(reason)?.sentence ?? 'Something went wrong on our side.';
    return { isOpen: false, words: `Not rewritten as ${name}. ${why} The digest stays as it was.` };
  }
  const words =
    state === 'waiting' && syncRuns
      ? `Will be rewritten as ${name} once the sync is done.`
      : `Rewriting as ${name}. This version stays until then.`;
  return { isOpen: true, words };
}

/** Days that share one line: without a row, or several alike in a row. YYYY-MM-DD, oldest and newest. */
type Span = { from: string; to: string };

/** The days without a row between two rows of a timeline, both exclusive; undefined where there are none. */
export function gapBetween(newer: string, older: string): Span | undefined {
  const [from, to] = [addDays(older, 1), addDays(newer, -1)];
  return from <= to ? { from, to } : undefined;
}

/** Groups neighbors for which `areAlike` holds; the order, newest first, stays. */
export function mergeRuns<T>(rows: readonly T[], areAlike: (one: T, next: T) => boolean): T[][] {
  const runs: T[][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last !== undefined && areAlike(last, row)) run.push(row);
    else runs.push([row]);
  }
  return runs;
}

/** The heading of a day: weeks begin on Monday, older days are grouped by month. */
export function periodOf(day: string, today: string): { id: string; title: string } {
  const monday = mondayOf(today);
  if (day >= monday) return { id: 'this-week', title: 'This week' };
  if (wording.daysBetween(day, monday) <= 7) return { id: 'last-week', title: 'Last week' };
  return { id: `m-${day.slice(0, 7)}`, title: wording.formatMonth(day, today) };
}

/** Counts a digest's promises, which are listed at the top of the page. */
function describePromiseCount(ids: string[], settled: ReadonlySet<string>, dialogId: string) {
  if (ids.length === 0) return undefined;
  const closed = ids.filter(id => settled.has(id)).length;
  const words = wording.formatQuantity(ids.length, 'promise', 'promises');
  const all = ids.length > 1 ? 'all closed' : 'closed';
  const what = closed === 0 ? words : `${words}, ${closed === ids.length ? all : `${wording.formatCount(closed)} closed`}`;
  return { words: what, href: `/conversations/${dialogId}#${closed === ids.length ? 'closed' : 'open'}` };
}
