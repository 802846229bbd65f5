import { countOf, formatCount, nearDay } from '../../lib/words.ts';
import { presentDigest } from '../digests/present.ts';
import type { DayBefore } from './getDaysBefore.ts';
import { addressOf } from './schema.ts';
import type { DayOverview } from './service.ts';

/** The latest days before the present one in brief, each leading to its page. */
export function presentDaysBefore(
  before: DayBefore[],
  { today, timezone, days }: Pick<DayOverview, 'today' | 'timezone' | 'days'>,
) {
  const totals = new Map(days.map(({ date, total }) => [date, total]));
  return before.map(({ date, openItems, digests, links }) => {
    const total = totals.get(date) ?? digests.length;
    return {
      label: nearDay(date, today),
      total: formatCount(total),
      note: openItems > 0 ? countOf(openItems, 'open item', 'open items') : '',
      href: addressOf({ day: date }),
      more: total > digests.length ? `All ${countOf(total, 'digest', 'digests')}` : '',
      rows: digests.map(digest => presentDigest(digest, { today, timezone, links })),
    };
  });
}
