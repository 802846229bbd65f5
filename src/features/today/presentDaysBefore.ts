import { countOf, formatCount, nearDay } from '../../lib/words.ts';
import { addressOf } from './address.ts';
import type { DayBefore } from './daysBefore.ts';
import { presentDigest } from './presentDigest.ts';

/** The latest days before the present one in brief, each leading to its page. */
export function presentDaysBefore(before: DayBefore[], { today, timezone }: { today: string; timezone: string }) {
  return before.map(({ date, total, openItems, digests, links }) => ({
    label: nearDay(date, today),
    total: formatCount(total),
    note: openItems > 0 ? countOf(openItems, 'open item', 'open items') : '',
    href: addressOf({ day: date }),
    more: total > digests.length ? `All ${countOf(total, 'digest', 'digests')}` : '',
    rows: digests.map(digest => presentDigest(digest, { today, timezone, links })),
  }));
}
