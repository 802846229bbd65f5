import { asksToWait } from '../../../lib/failures.ts';
import { readPersonName } from '../../../lib/names/personName.ts';
import { presentPages } from '../../../lib/paging.ts';
import { readablePhone } from '../../../lib/phone.ts';
import { localDay } from '../../../lib/timezones.ts';
import { countOf, dateOf, formatCount, sinceWords, titleOf, untilWords } from '../../../lib/words.ts';
import { badgeOf, confidenceWord, presentBadge } from '../../contacts/matching/present.ts';
import { compareRows } from '../../contacts/review/describeCase.ts';
import { CRM_NAME } from '../../crm/present.ts';
import { presentProminence, prominenceWords } from '../../messenger/dialogs/present.ts';
import { chatLink, nameOf } from '../../messenger/dialogs/rules.ts';
import { presentDialog } from '../../messenger/present.ts';
import { isFlooded } from '../../messenger/rules.ts';
import { describePromises } from './describePromises.ts';
import { describeTimeline } from './describeTimeline.ts';
import { drawMoods } from './drawMoods.ts';
import { type Conversation, ROWS_A_PAGE } from './service.ts';

type Shown = { asTable: boolean };

/** A conversation as its page prints it. */
export function presentConversation(conversation: Conversation, { asTable }: Shown) {
  const { dialog, page, extent, rows, account, today } = conversation;
  const reading = presentDialog(dialog, { ...conversation, links: new Map() });
  const isRead = reading.isTracked && account?.status === 'active';
  const groups = describeTimeline(rows, { dialog, context: conversation, isFirstPage: page === 1, isRead });
  const name = nameOf(dialog);
  const promises = describePromises(conversation.promises, {
    ...{ dialogId: dialog.id, today, now: conversation.now, timezone: conversation.config.timezone },
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
    phone: dialog.peerPhone && readablePhone(dialog.peerPhone),
    chat: chatLink(dialog),
    hasMessageLinks: dialog.peer.kind === 'channel',
    tracking: trackingWords(conversation, reading),
    reading,
    prominence: dialog.unreadable === null ? presentProminence(dialog) : undefined,
    prominenceWords: prominenceWords(dialog),
    /** On the first page only. */
    promises,
    groups,
    note: noteOn(groups),
    hasOneWriter: oneWriter(groups) !== '',
    isEmpty: extent.total === 0,
    page,
    pages: presentPages({
      page,
      pages: Math.ceil(extent.total / ROWS_A_PAGE),
      href: number => address(dialog.id, number),
    }),
    parts: [
      ...(page === 1 ? partsOf(promises) : []),
      ...groups.map(({ id, title, count }) => ({ href: `#${id}`, label: title, count })),
      ...(older > 0 ? [{ href: address(dialog.id, page + 1), label: 'Older', count: formatCount(older) }] : []),
    ],
    record: recordOf(conversation),
    plot: drawMoods(conversation.moods, { today }),
    asTable,
  };
}

/** The parts that the page begins with. */
function partsOf({ open, closed }: ReturnType<typeof describePromises>) {
  const parts = [
    { href: '#open', label: 'Promises', count: open },
    { href: '#closed', label: 'Closed', count: closed.total },
  ];
  return parts.filter(({ count }) => count > 0).map(part => ({ ...part, count: formatCount(part.count) }));
}

type Groups = ReturnType<typeof describeTimeline>;

function digestsIn(groups: Groups) {
  return groups.flatMap(({ entries }) => entries.flatMap(({ digest }) => digest ?? []));
}

/** Who wrote all of them, which is then said once; '' where they differ or a model wrote them. */
function oneWriter(groups: Groups): string {
  const [first, ...others] = digestsIn(groups).map(({ writer }) => writer);
  return first && others.every(writer => writer === first) ? first : '';
}

/** What is worth knowing about all digests, beside the first heading. */
function noteOn(groups: Groups): string {
  const digests = digestsIn(groups);
  const lines = digests.flatMap(({ exchanges }) => exchanges.flatMap(exchange => exchange.lines));
  const hint = lines.some(({ source }) => source)
    ? 'Tap a line to see its source'
    : digests.some(({ said }) => said.some(({ source }) => source)) && 'Tap a sentence to see who said it';
  return [oneWriter(groups), hint].filter(Boolean).join('. ');
}

function address(dialogId: string, page: number): string {
  return page > 1 ? `/conversations/${dialogId}?page=${page}` : `/conversations/${dialogId}`;
}

/** Whether it is read, in a few words under the name. */
function trackingWords(
  conversation: Conversation,
  { isTracked, locked }: { isTracked: boolean; locked?: string | undefined },
) {
  const { extent, account, today, now, config } = conversation;
  if (locked) return locked;
  if (!isTracked) return 'Not read';
  if (account?.status !== 'active') return 'Not read while Telegram is disconnected';
  if (account.floodUntil && isFlooded(account, now)) {
    const until = untilWords(account.floodUntil, { now, timezone: config.timezone });
    return titleOf(asksToWait('messenger', `until ${until}`));
  }
  return extent.firstDay ? `Daily digests since ${dateOf(extent.firstDay, today)}` : 'No digest yet';
}

/** Whom it is linked to in the CRM, why, and what was written there. */
function recordOf(conversation: Conversation) {
  const { dialog, match, connection, contactUrl } = conversation;
  if (connection.portalId === '') return { kind: 'unconnected' as const, crmName: CRM_NAME };
  const change = `/contacts?id=${dialog.id}`;
  if (dialog.crmContactId === '' || dialog.matchStatus === 'IGNORED') {
    return { kind: 'unlinked' as const, badge: badgeOf(match), isPerson: dialog.peerType === 'user', change };
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

function decidedWords({ match, config, today }: Conversation): string {
  if (match.decidedBy === 'person' && match.evaluatedAt) {
    return `by you on ${dateOf(localDay(match.evaluatedAt, config.timezone), today)}`;
  }
  if (match.status === 'CREATED') return 'automatically';
  if (match.status.startsWith('AUTO_'))
    return `${confidenceWord(match.confidence)} (${match.confidence.toFixed(2)}), matched automatically`;
  return '';
}

function noteWords({ notes, now, config }: Conversation): string {
  if (notes.count === 0 || !notes.lastWrittenAt) return 'None yet';
  const last = sinceWords(notes.lastWrittenAt, { now, timezone: config.timezone });
  return notes.count === 1 ? `1, written ${last}` : `${countOf(notes.count, 'note', 'notes')}, last one ${last}`;
}
