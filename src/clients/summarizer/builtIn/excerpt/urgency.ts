import { Temporal } from 'temporal-polyfill';
import type { ActionItem, Urgency } from '../../types.ts';
import type { QuotedItem } from './quoteItems.ts';

const FRIDAY = 5;

/**
 * `medium` when something of the user's is due within two days or on the next working day, else `low` when anything is
 * open or a question waits. Never `high`: neither rules nor a score learned from labelled days told what can't wait
 * often enough on other days. The reason is what is due first, in the words that bind.
 */
export function findUrgency(
  open: QuotedItem[],
  { today, isAsked }: { today: string; isAsked: boolean },
): { urgency: Urgency; urgencyReason?: string } {
  const [first] = open
    .filter(({ item }) => isDueSoon(item, today))
    .toSorted(({ item: one }, { item: other }) => (one.dueDate ?? '').localeCompare(other.dueDate ?? ''));
  if (first) return { urgency: 'medium', urgencyReason: reasonOf(first) };
  return { urgency: open.length > 0 || isAsked ? 'low' : 'none' };
}

function isDueSoon({ owner, dueDate }: ActionItem, today: string): boolean {
  if (owner !== 'user' || dueDate === null) return false;
  const day = Temporal.PlainDate.from(today);
  return dueDate <= day.add({ days: day.dayOfWeek === FRIDAY ? 3 : 2 }).toString();
}

/** "Will do" says what is due only in the words that it answers. */
function reasonOf({ item: { text, request }, said }: QuotedItem): string {
  return request ? `${request.who}: “${request.words}”` : `${said.who}: “${text}”`;
}
