import type { Request, Response } from 'express';
import { hasKeys } from '../../../http/browserChoices.ts';
import { currentUser } from '../../../http/currentUser.ts';
import type { Renderer } from '../../../http/render.ts';
import { dayBefore } from '../../../lib/timezones.ts';
import { formatCount, nearDay, shortDay } from '../../../lib/words.ts';
import { sinceDate } from '../../digests/present.ts';
import { type DigestDayWithStart, hasDigests, listDigestDaysWithStart } from '../../digests/service.ts';
import { drawChart } from './drawChart.ts';
import { presentDays } from './listViews.ts';
import { presentAround } from './present.ts';
import { addressOf } from './schema.ts';
import { type Around, addDay, getAround, type TodayDeps } from './service.ts';

type Deps = TodayDeps & { render: Renderer };
type Asked = { userId: string; page: number };

const DAYS_A_PAGE = 30;

/** The days with digests, as a table, with the plot of the last 30. */
export async function showTable(deps: Deps, req: Request, res: Response, { page }: { page: number }) {
  const userId = currentUser(req).id;
  const beside = await getAround(deps, { userId });
  const [overview, own] = await Promise.all([
    addDay(deps, beside, { userId, day: undefined, promises: 'counts' }),
    table(deps, { userId, page }, beside),
  ]);
  const around = {
    ...presentAround(overview, { view: 'today', page: 1, now: deps.clock.now() }),
    days: presentDays(overview, undefined),
    plot: drawChart(overview.days, overview.today),
    views: [],
    isList: true,
    keys: hasKeys(req),
  };
  deps.render.page(res, 'today/table/index', { ...around, ...own }, { title: 'Digests by day', nav: 'today' });
}

async function table({ db }: Deps, { userId, page }: Asked, { today, timezone }: Around) {
  const until = dayBefore(today, (page - 1) * DAYS_A_PAGE);
  const since = dayBefore(until, DAYS_A_PAGE - 1);
  const [days, hasMore] = await Promise.all([
    listDigestDaysWithStart(db, { userId, since, until }),
    hasDigests(db, { userId, before: since }),
  ]);
  const href = (number: number) => addressOf({ view: 'table', page: number });
  return {
    table: days.map(day => presentTableRow(day, { today, timezone })),
    tablePages: {
      words: page > 1 || hasMore ? `${shortDay(since, today)} to ${shortDay(until, today)}` : '',
      before: page > 1 ? href(page - 1) : undefined,
      next: hasMore ? href(page + 1) : undefined,
    },
  };
}

/** The digests are of that day; their messages may be older, which the row says. */
function presentTableRow(
  { date, total, urgent, messages, firstMessageAt }: DigestDayWithStart,
  now: Pick<Around, 'today' | 'timezone'>,
) {
  const { today } = now;
  return {
    label: nearDay(date, today),
    since: sinceDate({ firstMessageAt, digestDate: date }, now),
    href: addressOf({ day: date === today ? undefined : date }),
    total: formatCount(total),
    urgent: formatCount(urgent),
    messages: formatCount(messages),
  };
}
