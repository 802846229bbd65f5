import { formatCount, formatQuantity } from '../../../lib/words.ts';
import { describeExpired } from '../../crm/present.ts';
import { presentQueue } from './describeCase.ts';
import { type Matching, type Review, VIEWS, type View } from './service.ts';

const LABELS: Record<View, string> = {
  review: 'To review',
  unmatched: 'No match',
  automatic: 'Automatic',
  confirmed: 'Confirmed',
  created: 'Created',
  ignored: 'Ignored',
  all: 'All',
};

type Words = { title: string; text: string };

/** Page around a case: headline, views, list and obstacles. */
export function presentReview(review: Review) {
  const { view, counts, index, beforeId, nextId, together, connection } = review;
  const count = counts[view];
  const isBulk = view === 'review' && together.length > 1;
  return {
    view,
    ...headline(review),
    settings: counts.all > 0 && (view === 'review' || view === 'automatic') ? 'Automatic notes' : '',
    views: VIEWS.filter(id => id !== 'automatic' || counts[id] > 0 || id === view).map(id => ({
      label: LABELS[id],
      count: formatCount(counts[id]),
      href: id === 'review' ? '/contacts' : `/contacts?view=${id}`,
      isCurrent: id === view,
    })),
    toReview: review.toReview,
    queue: presentQueue(review),
    position: count > 0 ? `${formatCount(index + 1)} of ${formatCount(count)}` : '',
    before: beforeId && `/contacts?view=${view}&id=${beforeId}`,
    next: nextId && `/contacts?view=${view}&id=${nextId}`,
    bulk: isBulk ? bulkWords(review) : undefined,
    barrier: barrierOf(review),
    matching: presentMatching(review.matching, { hasCase: review.current !== undefined }),
    isConnected: review.hasCrm && connection.status === 'active',
  };
}

/**
 * The progress of the matching that began when the CRM was connected; undefined if nothing waits for it.
 * @param hasCase whether a conversation is shown on the page, which then must not move
 */
export function presentMatching({ waiting, isRunning }: Matching, { hasCase }: { hasCase: boolean }) {
  if (waiting === 0) return undefined;
  const what = formatQuantity(waiting, 'conversation', 'conversations');
  return {
    title: isRunning ? `Matching ${what}…` : `${what} waiting to be matched`,
    text: isRunning ? 'You can leave this page; matching continues.' : 'The next sync matches them automatically.',
    isRunning,
    path: `/contacts/matching?waiting=${waiting}&shows=${hasCase ? 'case' : 'none'}`,
  };
}

const EMPTY: Record<Exclude<View, 'review' | 'all'>, Words> = {
  unmatched: { title: 'Everyone has a match', text: 'New conversations without one appear here.' },
  automatic: {
    title: 'Nothing matched automatically yet',
    text: 'Same phone, username or Telegram account: notes are added automatically.',
  },
  confirmed: { title: 'No one confirmed yet', text: 'Matches you confirm appear here, and their notes go to the CRM.' },
  created: { title: 'No contact created yet', text: 'Contacts created in the CRM from Telegram appear here.' },
  ignored: { title: 'No one is ignored', text: 'Conversations you ignore appear here. They are never sent to the CRM.' },
};
/** After their number. */
const LISTED: typeof EMPTY = {
  unmatched: { title: 'with no match', text: 'Pick a suggestion, create a contact, or ignore the conversation.' },
  automatic: { title: 'matched automatically', text: EMPTY.automatic.text },
  confirmed: { title: 'confirmed', text: 'You confirmed these. Their notes go to the CRM.' },
  created: { title: 'created', text: 'These contacts were created in the CRM from Telegram.' },
  ignored: { title: 'ignored', text: 'These conversations are never sent to the CRM.' },
};

function headline({ view, counts, writing, connection, matching }: Review): Words {
  const count = counts[view];
  if (view === 'all') {
    const text = 'Every conversation Forenoon reads, and how it is matched.';
    return { title: formatQuantity(count, 'conversation', 'conversations'), text };
  }
  if (view !== 'review') {
    const { title, text } = LISTED[view];
    return count === 0 ? EMPTY[view] : { title: `${formatCount(count)} ${title}`, text };
  }
  if (count === 0) return nothingToReview(counts, writing, { status: connection.status, matching });
  return {
    title: formatQuantity(count, 'match to review', 'matches to review'),
    text: 'Forenoon suggested these contacts. Notes go to the CRM once you confirm.',
  };
}

type MatchingStatus = { status: string; matching: Matching };

function nothingToReview(counts: Review['counts'], writing: number, { status, matching }: MatchingStatus): Words {
  if (counts.all === 0) {
    return { title: 'No contacts yet', text: 'They appear here once conversations are read and the CRM is connected.' };
  }
  if (status !== 'active') return { title: 'Nothing to review', text: 'Matches appear here while the CRM is connected.' };
  const words = `${formatQuantity(writing, 'conversation writes', 'conversations write')} notes to the CRM.`;
  const text = `${words} New matches to review appear here.`;
  if (matching.waiting > 0) return { title: 'Nothing to review yet', text };
  if (counts.unmatched === 0) return { title: 'All matched', text };
  const open = formatQuantity(counts.unmatched, 'conversation has', 'conversations have');
  return { title: 'Nothing to review', text: `${open} no match. ${text}` };
}

const SAME: [start: string, icon: string, what: string][] = [
  ['AUTO_PHONE', 'phone', 'phone number'],
  ['AUTO_USERNAME', 'at', 'username'],
  ['AUTO_NAME', 'guess', 'name'],
];

function bulkWords({ together }: Review) {
  const found = SAME.filter(([status]) => together.some(({ matchStatus }) => matchStatus === status));
  const what = found.map(([, , words]) => words).join(' or ');
  return { icon: found[0]?.[1] ?? 'guess', title: `${together.length} with the same ${what}`, count: together.length };
}

/** Why the CRM can't be asked now, and what to do about it. */
function barrierOf({ hasCrm, hasKey, connection }: Review) {
  if (!hasCrm) {
    return { tone: 'warn', icon: 'info', title: 'This server has no CRM set up', text: 'Matches can’t be searched.' };
  }
  if (connection.status === 'expired') {
    return { tone: 'alert', ...describeExpired({ hasKey, waiting: 0 }) };
  }
  if (connection.status === 'disconnected') {
    return {
      tone: 'warn',
      icon: 'link',
      title: 'No CRM is connected',
      text: 'Connect it, and each conversation is matched to the right contact.',
      link: { href: '/api/crm/connect', label: 'Connect the CRM', primary: true },
    };
  }
  return undefined;
}
