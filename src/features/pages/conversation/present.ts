import { sayAskedToWait } from '../../../lib/failures.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { presentPages } from '../../../lib/paging.ts';
import { formatPhone } from '../../../lib/phone.ts';
import { addDays, localDay } from '../../../lib/timezones.ts';
import {
  dropPeriod,
  formatCount,
  formatDate,
  formatQuantity,
  formatShortDay,
  formatSince,
  formatUntil,
  formatWeekday,
  isolateDirection,
} from '../../../lib/words.ts';
import { confidenceWord, matchBadge, presentBadge } from '../../contacts/matching/present.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { MOODS } from '../../digests/present.ts';
import { CHART_DAYS } from '../../digests/rules.ts';
import { presentProminence, prominenceWords } from '../../messenger/dialogs/present.ts';
import { chatLink, dialogName } from '../../messenger/dialogs/rules.ts';
import { presentDialog } from '../../messenger/present.ts';
import { isFlooded } from '../../messenger/rules.ts';
import { describeClosed, describeRow, laterDays } from '../../promises/list/describeRow.ts';
import { compareRows } from '../review/describeCase.ts';
import { describeTimeline } from './describeTimeline.ts';
import type { DayMood as Day, PromiseInPart, PromisePart } from './repo.ts';
import { type ConversationPage, ROWS_A_PAGE } from './service.ts';

/** A conversation as its page prints it. */
export function presentConversation(conversation: ConversationPage, { asTable }: { asTable: boolean }) {
  const { dialog, page, extent, rows, account, today } = conversation;
  const reading = presentDialog(dialog, { ...conversation, links: new Map() });
  const isRead = reading.isTracked && account?.status === 'active';
  const groups = describeTimeline(rows, { dialog, context: conversation, isFirstPage: page === 1, isRead });
  const name = dialogName(dialog);
  const promises = describePromises(conversation.promises, {
    dialogId: dialog.id,
    today,
    now: conversation.now,
    timezone: conversation.config.timezone,
    short: dialog.peerType === 'user' ? readPersonName(dialog.peerName).short || name : name,
  });
  const older = Math.max(0, extent.total - page * ROWS_A_PAGE);
  return {
    id: dialog.id,
    name,
    company: conversation.match.contact?.company ?? '',
    isPerson: dialog.peerType === 'user',
    kind: reading.kind,
    username: dialog.peerUsername,
    phone: dialog.peerPhone && formatPhone(dialog.peerPhone),
    chat: chatLink(dialog),
    hasMessageLinks: dialog.peer.kind === 'channel',
    tracking: trackingWords(conversation, reading),
    reading,
    prominence: dialog.unreadable === null ? presentProminence(dialog) : undefined,
    prominenceWords: prominenceWords(dialog),
    /** On the first page only. */
    promises,
    groups,
    note: chooseHeadingNote(groups),
    hasOneWriter: oneWriter(groups) !== '',
    isEmpty: extent.total === 0,
    page,
    pages: presentPages({
      page,
      pages: Math.ceil(extent.total / ROWS_A_PAGE),
      href: number => timelineAddress(dialog.id, number),
    }),
    parts: [
      ...(page === 1 ? promiseParts(promises) : []),
      ...groups.map(({ id, title, count }) => ({ href: `#${id}`, label: title, count })),
      ...(older > 0 ? [{ href: timelineAddress(dialog.id, page + 1), label: 'Older', count: formatCount(older) }] : []),
    ],
    record: recordOf(conversation),
    plot: drawMoods(conversation.moods, { today }),
    asTable,
  };
}

type PromisesContext = {
  dialogId: string;
  today: string;
  now: Date;
  timezone: string;
  /** The short name of the other side, for headings. */
  short: string;
};

const VIEWS = { mine: 'yours', theirs: 'theirs', unassigned: 'unassigned' } as const;

/** The promises of a conversation, both ways, and their outcome. */
function describePromises(listed: PromiseInPart[], where: PromisesContext) {
  const groups = (['mine', 'theirs', 'unassigned'] as const).flatMap(part => openGroup(part, listed, where));
  const open = groups.reduce((sum, { total }) => sum + total, 0);
  const putOff = countInPart(listed, 'putOff');
  const closed = listed.filter(({ part }) => part === 'closed').map(({ promise }) => describeClosed(promise, where));
  return {
    groups,
    open,
    putOff: putOff > 0 ? { words: `${formatCount(putOff)} put off`, href: promisesAddress(where, 'put-off') } : undefined,
    closed: {
      rows: closed,
      total: countInPart(listed, 'closed'),
      count: formatCount(countInPart(listed, 'closed')),
      href: promisesAddress(where, 'closed'),
    },
    later: laterDays(where.today),
    firstDay: addDays(where.today, 1),
  };
}

function countInPart(listed: PromiseInPart[], part: PromisePart): number {
  return listed.find(one => one.part === part)?.total ?? 0;
}

/** The address on the promises page, which pages through them all. */
function promisesAddress({ dialogId }: PromisesContext, view: string): string {
  return view === 'yours' ? `/promises?dialog=${dialogId}` : `/promises?view=${view}&dialog=${dialogId}`;
}

function openGroup(part: keyof typeof VIEWS, listed: PromiseInPart[], where: PromisesContext) {
  const view = VIEWS[part];
  const rows = listed
    .filter(one => one.part === part)
    .map(({ promise }) => {
      const row = describeRow(promise, { ...where, view });
      const last = row.source.lines.at(-1);
      // The page is about its conversation: a row says who said it and when, and the heading already says with whom.
      const owner = row.owner === where.short ? '' : row.owner;
      return { ...row, owner, from: '', about: last ? `${isolateDirection(last.name)}, ${last.when}` : '' };
    });
  const total = countInPart(listed, part);
  const rest = total - rows.length;
  if (rows.length === 0) return [];
  const more = rest > 0 ? { words: `Show the other ${formatCount(rest)}`, href: promisesAddress(where, view) } : undefined;
  const [before, after] = { mine: ['You owe', ''], theirs: ['', 'owes you'], unassigned: ['One of you', ''] }[part];
  const title = { before, name: part === 'unassigned' ? '' : where.short, after };
  return [{ title, view, rows, total, count: formatCount(total), more }];
}

/** The parts that the page begins with. */
function promiseParts({ open, closed }: ReturnType<typeof describePromises>) {
  const parts = [
    { href: '#open', label: 'Promises', count: open },
    { href: '#closed', label: 'Closed', count: closed.total },
  ];
  return parts.filter(({ count }) => count > 0).map(part => ({ ...part, count: formatCount(part.count) }));
}

type Groups = ReturnType<typeof describeTimeline>;

const digestsIn = (groups: Groups) => groups.flatMap(({ entries }) => entries.flatMap(({ digest }) => digest ?? []));

/** Common writer of all digests; '' if they differ or a model wrote them. */
function oneWriter(groups: Groups): string {
  const [first, ...others] = digestsIn(groups).map(({ writer }) => writer);
  return first && others.every(writer => writer === first) ? first : '';
}

/** A note about all digests, beside the first heading. */
function chooseHeadingNote(groups: Groups): string {
  const digests = digestsIn(groups);
  const lines = digests.flatMap(({ exchanges }) => exchanges.flatMap(exchange => exchange.lines));
  const hint = lines.some(({ source }) => source)
    ? 'Tap a line to see its source'
    : digests.some(({ said }) => said.some(({ source }) => source)) && 'Tap a sentence to see who said it';
  return [oneWriter(groups), hint].filter(Boolean).join('. ');
}

function timelineAddress(dialogId: string, page: number): string {
  return page > 1 ? `/conversations/${dialogId}?page=${page}` : `/conversations/${dialogId}`;
}

/** Whether it is read, in a few words under the name. */
function trackingWords(
  conversation: ConversationPage,
  { isTracked, locked }: { isTracked: boolean; locked?: string | undefined },
) {
  const { extent, account, today, now, config } = conversation;
  if (locked) return locked;
  if (!isTracked) return 'Not read';
  if (account?.status !== 'active') return 'Not read while Telegram is disconnected';
  if (account.floodUntil && isFlooded(account, now)) {
    const until = formatUntil(account.floodUntil, { now, timezone: config.timezone });
    return dropPeriod(sayAskedToWait('messenger', `until ${until}`));
  }
  return extent.firstDay ? `Daily digests since ${formatDate(extent.firstDay, today)}` : 'No digest yet';
}

/** The CRM link, its reasons and the notes written. */
function recordOf(conversation: ConversationPage) {
  const { dialog, match, connection, contactUrl } = conversation;
  if (connection.portalId === '') return { kind: 'unconnected' as const, crmName: CRM_NAME };
  const change = `/contacts?id=${dialog.id}`;
  if (dialog.crmContactId === '' || dialog.matchStatus === 'IGNORED') {
    return { kind: 'unlinked' as const, badge: matchBadge(match), isPerson: dialog.peerType === 'user', change };
  }
  const evidence = compareRows(dialog, match).flatMap(({ label, sign }) =>
    sign && sign.tone !== 'is-mute' ? [{ label, ...sign }] : [],
  );
  return {
    kind: 'linked' as const,
    badge: { ...presentBadge(match), number: '' },
    isGone: match.problem === 'CONTACT_GONE',
    contact: dialog.crmContactName ?? `Contact ${dialog.crmContactId}`,
    company: match.contact?.company ?? '',
    email: match.contact?.email ?? '',
    decided: decidedWords(conversation),
    evidence,
    notes: noteWords(conversation),
    url: match.problem === 'CONTACT_GONE' ? undefined : contactUrl(dialog.crmContactId),
    change,
  };
}

function decidedWords({ match, config, today }: ConversationPage): string {
  if (match.decidedBy === 'person' && match.evaluatedAt) {
    return `by you on ${formatDate(localDay(match.evaluatedAt, config.timezone), today)}`;
  }
  if (match.status === 'CREATED') return 'automatically';
  if (match.status.startsWith('AUTO_'))
    return `${confidenceWord(match.confidence)} (${match.confidence.toFixed(2)}), matched automatically`;
  return '';
}

function noteWords({ notes, now, config }: ConversationPage): string {
  if (notes.count === 0 || !notes.lastWrittenAt) return 'None yet';
  const last = formatSince(notes.lastWrittenAt, { now, timezone: config.timezone });
  return notes.count === 1 ? `1, written ${last}` : `${formatQuantity(notes.count, 'note', 'notes')}, last one ${last}`;
}

/** A day of which it is known how its messages felt. */
type DayMood = Day & { sentiment: NonNullable<Day['sentiment']> };

const MAX_SHOWN = 8;
const LEVELS: Record<DayMood['sentiment'], number> = { positive: 8, neutral: 22, mixed: 36, negative: 50 };
const [FIRST_X, LAST_X] = [5, 239];
const [WIDTH, HEIGHT, BAR] = [296, 44, 7.2];

/** Messages a day over 30 days, and how the last digests sounded. Undefined when there is nothing to draw. */
export function drawMoods(digests: Day[], { today }: { today: string }) {
  if (digests.length === 0) return undefined;
  const moods = digests.filter((day): day is DayMood => day.sentiment !== null);
  const counts = new Map(digests.map(({ date, messages }) => [date, messages]));
  const days = Array.from({ length: CHART_DAYS }, (_, n) => addDays(today, n + 1 - CHART_DAYS));
  const values = days.map(day => counts.get(day) ?? 0);
  const most = Math.max(1, ...values);
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    total: formatCount(total),
    sentence: describeActivity(total, values, days, today),
    bars: values.flatMap((value, n) => {
      const step = (WIDTH - BAR - 1.6) / (CHART_DAYS - 1);
      const height = Math.max(1.5, (value / most) * HEIGHT);
      const bar = { x: (1 + n * step).toFixed(1), y: (HEIGHT - height).toFixed(1), height: height.toFixed(1) };
      return value > 0 ? [bar] : [];
    }),
    from: formatDate(days[0] ?? today, today),
    to: (values.at(-1) ?? 0) > 0 ? `${formatCount(values.at(-1) ?? 0)} today` : 'today',
    table: digests
      .toReversed()
      .map(({ date, messages, sentiment }) => ({
        day: formatShortDay(date, today),
        messages: formatCount(messages),
        word: sentiment === null ? '' : MOODS[sentiment].word,
      })),
    mood: moods.length > 0 ? drawLine(moods, days, today) : undefined,
  };
}

/** A point for each digest, on its day; the newest one is marked. */
function drawLine(moods: DayMood[], days: string[], today: string) {
  const points = moods.flatMap(({ date, sentiment }) => {
    const n = days.indexOf(date);
    const x = FIRST_X + (n * (LAST_X - FIRST_X)) / (CHART_DAYS - 1);
    return n < 0 ? [] : [{ x: x.toFixed(1), y: LEVELS[sentiment] }];
  });
  const words = `${moodSentence(moods.slice(-MAX_SHOWN), today)}.`;
  const sentence = `Mood of ${formatQuantity(moods.length, 'digest', 'digests')} in the last ${CHART_DAYS} days. ${words}`;
  return { points, line: points.map(({ x, y }) => `${x},${y}`).join(' '), words, sentence };
}

function describeActivity(total: number, values: number[], days: string[], today: string): string {
  const top = Math.max(...values);
  const day = days[values.lastIndexOf(top)] ?? today;
  const most = `most on ${formatShortDay(day, today)}: ${formatCount(top)}`;
  return `${formatQuantity(total, 'message', 'messages')} in the last ${CHART_DAYS} days, ${most}.`;
}

/** "Positive until Tuesday, tense since": the last mood and the one before. */
export function moodSentence(moods: DayMood[], today: string): string {
  const last = moods.at(-1);
  if (!last) return '';
  const start = moods.findLastIndex(({ sentiment }) => sentiment !== last.sentiment) + 1;
  const before = moods[start - 1];
  const { word } = MOODS[last.sentiment];
  if (!before) return moods.length > 1 ? `${word} throughout` : word;
  const isRun = moods.slice(0, start).every(({ sentiment }) => sentiment === before.sentiment);
  const until = addDays(today, -6) <= before.date ? formatWeekday(before.date) : formatShortDay(before.date, today);
  return isRun && start > 1
    ? `${MOODS[before.sentiment].word} until ${until}, ${word.toLowerCase()} since`
    : `${word} since ${sinceOf(moods[start]?.date ?? today, today)}`;
}

function sinceOf(day: string, today: string): string {
  if (day === today) return 'today';
  return addDays(today, -6) <= day ? formatWeekday(day) : formatShortDay(day, today);
}
