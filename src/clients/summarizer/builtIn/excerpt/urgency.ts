import { Temporal } from 'temporal-polyfill';
import type { ActionItem, Urgency } from '../../types.ts';
import type { QuotedItem } from './quoteItems.ts';

const FRIDAY = 5;

/**
 * `medium` when something of the user's is due within two days or on the next working day, else `low` when anything is
 * open or a question waits. Never `high`: neither rules nor a score learned from labelled days told what can't wait
 * often enough on other days.
 */
export function findUrgency(
  open: readonly QuotedItem[],
  { today, isAsked }: { today: string; isAsked: boolean },
): Urgency {
  if (open.some(({ item }) => isDueSoon(item, today))) return 'medium';
  return open.length > 0 || isAsked ? 'low' : 'none';
}

function isDueSoon({ owner, dueDate }: ActionItem, today: string): boolean {
  if (owner !== 'user' || dueDate === null) return false;
  const day = Temporal.PlainDate.from(today);
  return dueDate <= day.add({ days: day.dayOfWeek === FRIDAY ? 3 : 2 }).toString();
}
