import { type Request, type Response, Router } from 'express';
import { hasKeys } from '../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { isHtmx } from '../../http/htmx.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { type Asked, asked, listAskedBy } from './address.ts';
import { getDaysBefore } from './daysBefore.ts';
import { findDone } from './done.ts';
import { showList } from './listPages.ts';
import { placeOf, presentAround, presentDay } from './presentDay.ts';
import { presentDaysBefore } from './presentDaysBefore.ts';
import { presentSearch } from './presentSearch.ts';
import { listOfJob } from './repo.ts';
import { search } from './search.ts';
import { type DayOverview, getDay, getDayOfDigest } from './service.ts';
import { tickPages } from './tickPages.ts';

type Deps = { db: Db; clock: Clock; render: Renderer };

export function todayPages(deps: Deps): Router {
  const pages = Router();
  pages.use(tickPages(deps));

  pages.get('/today', requireUser, async (req, res) => {
    const wanted = asked.parse(req.query);
    const list = listAskedBy(req.query);
    const done = await findDone(deps, { userId: currentUser(req).id, token: wanted.done });
    if (list) return showList(deps, req, res, { list, page: wanted.page, done });
    const shown = { ...(await presentPage(deps, req, wanted)), done, keys: hasKeys(req) };
    if (isHtmx(req)) return deps.render.fragment(res, 'today/_found', { ...shown, title: titleOf(shown) });
    showPage(deps, res, shown);
  });

  // The address that stands in the notes of the CRM.
  pages.get('/digests/:digestId', requireUser, async (req, res) => {
    const digestId = String(req.params.digestId);
    res.redirect(302, placeOf(await getDayOfDigest(deps, { userId: currentUser(req).id, digestId }), digestId));
  });

  return pages;
}

async function presentPage(deps: Deps, req: Request, { day, view, page, q, new: jobId }: Asked) {
  const userId = currentUser(req).id;
  const [overview, arrived] = await Promise.all([
    getDay(deps, { userId, day }),
    jobId ? listOfJob(deps.db, { userId, jobId }) : undefined,
  ]);
  const now = deps.clock.now();
  if (q === '') {
    const shown = presentDay(overview, { view, page, now, ...(arrived && { arrived }) });
    return { ...shown, daysBefore: await daysBefore(deps, overview, { userId, shown, page }) };
  }
  const { today, timezone } = overview;
  const found = presentSearch(await search(deps, { userId, typed: q, today }), { view, page, today, timezone });
  return {
    ...presentAround(overview, { view, page, now }),
    found,
    views: found.views,
    here: found.here,
    say: found.say,
  };
}

type Front = { userId: string; shown: ReturnType<typeof presentDay>; page: number };

/** Below the present day, when there is room for more. */
async function daysBefore(deps: Deps, overview: DayOverview, { userId, shown, page }: Front) {
  const isFront = !shown.isPast && shown.view === 'everything' && page === 1;
  if (!isFront || !shown.hasRoom) return [];
  return presentDaysBefore(await getDaysBefore(deps, overview, { userId }), overview);
}

type Shown = Awaited<ReturnType<typeof presentPage>>;

function showPage({ render }: Deps, res: Response, shown: Shown) {
  const refreshSeconds = shown.sync.state === 'running' ? shown.sync.pollSeconds * 2 : 0;
  render.page(res, 'today/index', shown, { title: titleOf(shown), nav: 'today', refreshSeconds });
}

function titleOf(shown: Shown): string {
  if ('found' in shown) return `${shown.found.q} – Search`;
  return shown.isPast ? shown.date : 'Today';
}
