import type { Request, Response } from 'express';
import { hasKeys } from '../../http/browserChoices.ts';
import { currentUser } from '../../http/currentUser.ts';
import type { Renderer } from '../../http/render.ts';
import { presentPages } from '../../lib/paging.ts';
import { dayBefore } from '../../lib/timezones.ts';
import { formatCount, nearDay, shortDay } from '../../lib/words.ts';
import { findDone } from '../actionItems/findDone.ts';
import { presentEarlier } from '../actionItems/present.ts';
import { listOpenItems } from '../actionItems/repo.ts';
import { type DigestDay, hasDigests, listDigestDays } from '../digests/repo.ts';
import { presentDays } from './listViews.ts';
import { presentAround } from './present.ts';
import { addressOf, type ListView } from './schema.ts';
import { type Around, addDay, getAround, type TodayDeps } from './service.ts';

type Deps = TodayDeps & { render: Renderer };
type Asked = { userId: string; page: number };

const TODOS_A_PAGE = 60;
const DAYS_A_PAGE = 30;

/** The lists of Today that go over all days: what is still open, and the days themselves. */
export async function showList(
  deps: Deps,
  req: Request,
  res: Response,
  { list, page, token }: { list: ListView; page: number; token: string | undefined },
) {
  const userId = currentUser(req).id;
  const [beside, done] = await Promise.all([getAround(deps, { userId }), findDone(deps, { userId, token })]);
  const read = list === 'earlier' ? earlier : table;
  const [overview, own] = await Promise.all([
    addDay(deps, beside, { userId, day: undefined }),
    read(deps, { userId, page }, beside),
  ]);
  const around = {
    ...presentAround(overview, { view: 'everything', page: 1, now: deps.clock.now() }),
    here: addressOf({ view: list, page }),
    days: presentDays(overview, undefined),
    views: [],
    isList: true,
    keys: hasKeys(req),
  };
  const title = list === 'earlier' ? 'Still open from earlier' : 'Digests by day';
  deps.render.page(res, `today/${list}/index`, { ...around, ...own, done }, { title, nav: 'today' });
}

async function earlier({ db }: Deps, { userId, page }: Asked, { today }: Around) {
  const offset = (page - 1) * TODOS_A_PAGE;
  const found = await listOpenItems(db, { userId, before: today, limit: TODOS_A_PAGE, offset });
  const pages = Math.ceil(found.total / TODOS_A_PAGE);
  return {
    list: presentEarlier(found, { today }),
    listPages: presentPages({ page, pages, href: number => addressOf({ view: 'earlier', page: number }) }),
  };
}

async function table({ db }: Deps, { userId, page }: Asked, { today }: Around) {
  const until = dayBefore(today, (page - 1) * DAYS_A_PAGE);
  const since = dayBefore(until, DAYS_A_PAGE - 1);
  const [days, hasMore] = await Promise.all([
    listDigestDays(db, { userId, since, until }),
    hasDigests(db, { userId, before: since }),
  ]);
  const href = (number: number) => addressOf({ view: 'table', page: number });
  return {
    table: days.map(day => presentTableRow(day, today)),
    tablePages: {
      words: page > 1 || hasMore ? `${shortDay(since, today)} to ${shortDay(until, today)}` : '',
      before: page > 1 ? href(page - 1) : undefined,
      next: hasMore ? href(page + 1) : undefined,
    },
  };
}

function presentTableRow({ date, total, urgent, messages }: DigestDay, today: string) {
  return {
    label: nearDay(date, today),
    href: addressOf({ day: date === today ? undefined : date }),
    total: formatCount(total),
    urgent: formatCount(urgent),
    messages: formatCount(messages),
  };
}
