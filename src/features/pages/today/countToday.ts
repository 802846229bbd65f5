import { formatCount } from '../../../lib/words.ts';
import { sayAllPromises, sumCounts, weekWords } from '../../promises/agenda/present.ts';
import { presentWithoutRows } from './present.ts';
import { readTodayQuery } from './schema.ts';
import { getDayIn, getTodayContext, type TodayDeps } from './service.ts';

/**
 * Today's counts after another feature's decision there. For a search, only the counts beside it; undefined for the table
 * and other pages.
 * @param here the address of the page
 */
export async function countToday(deps: TodayDeps, { userId, here }: { userId: string; here: string }) {
  const query = readTodayQuery(here);
  if (!query || query.isTable) return undefined;
  const { q, view, page, day } = query;
  const around = await getTodayContext(deps, { userId });
  const overview = await getDayIn(deps, around, { userId, day, promises: 'counts' });
  const sum = sumCounts(overview.open);
  const { headline, views, counts } = presentWithoutRows(overview, { view, page, now: deps.clock.now() });
  const totals = { due: formatCount(counts.today), owed: formatCount(sum.owedToUser) };
  const isPresentDay = view === 'today' && q === '' && overview.day === overview.today;
  return {
    headline,
    ...(q === '' && { views }),
    ...(isPresentDay && { totals, all: sayAllPromises(sum), week: weekWords(overview.week) }),
  };
}
