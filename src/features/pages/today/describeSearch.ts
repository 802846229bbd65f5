import { presentPages } from '../../../lib/paging.ts';
import { formatCount, formatNearDay, formatQuantity } from '../../../lib/words.ts';
import { markRow } from '../../digests/markRow.ts';
import { presentDigest } from '../../digests/present.ts';
import { MAX_RESULTS, SEARCHED_DAYS, type SearchResult } from '../../digests/service.ts';
import { askAddress } from '../ask/present.ts';
import { isQuestion } from '../ask/rules.ts';
import { createUnmatchedTest, listViews } from './present.ts';
import { countViews, filterGroups, groupDay, type View } from './rules.ts';
import { todayPath } from './schema.ts';

const ROWS_A_PAGE = 60;

type SearchPage = { view: View; page: number; today: string; timezone: string };

export function describeSearch(found: SearchResult, { view: asked, today, timezone, ...which }: SearchPage) {
  const view = asked === 'today' ? 'everything' : asked;
  const groups = groupDay(found.digests, { syncRuns: false });
  const isUnmatched = createUnmatchedTest(found);
  const counts = countViews(groups, { isUnmatched, due: 0 });
  const shown = new Set(Object.values(filterGroups(groups, view, isUnmatched)).flat());
  const rows = found.digests.filter(digest => shown.has(digest));
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  const page = Math.min(which.page, pages);
  const byDay = Map.groupBy(rows.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE), ({ digestDate }) => digestDate);
  const q = found.typed;
  const here = todayPath({ q, view: asked, page });
  return {
    q,
    ask: isQuestion(q) ? askAddress(q) : '',
    words: foundWords(rows.length),
    say: rows.length > 0 ? foundWords(rows.length) : 'No results',
    nothing: `No results for “${q}”. Search looks at names, companies and summaries of the last ${SEARCHED_DAYS} days.`,
    days: [...byDay].map(([date, digests]) => ({
      label: formatNearDay(date, today),
      href: todayPath({ day: date === today ? undefined : date }),
      rows: digests.map(digest =>
        markRow(presentDigest(digest, { today, timezone, links: found.links, here }), digest, found.words),
      ),
    })),
    views: listViews(counts, view, { day: undefined, q }),
    here,
    pages: presentPages({ page, pages, href: number => todayPath({ q, view: asked, page: number }) }),
  };
}

function foundWords(count: number): string {
  return count >= MAX_RESULTS
    ? `The newest ${formatCount(MAX_RESULTS)} digests`
    : formatQuantity(count, 'digest', 'digests');
}
