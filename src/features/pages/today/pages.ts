import { type Request, type Response, Router } from 'express';
import { hasKeys, type Renderer } from '../../../http/render.ts';
import { currentUser, isHtmx, requireUser } from '../../../http/request.ts';
import type { ReadLimiter } from '../../../lib/readLimiter.ts';
import { readSearchQuery, searchRecentDigests } from '../../digests/service.ts';
import { findProminenceToast } from '../../messenger/dialogs/service.ts';
import { describeChange } from '../../promises/list/present.ts';
import { findChanged } from '../../promises/list/service.ts';
import { askAddress } from '../ask/present.ts';
import { isQuestion } from '../ask/rules.ts';
import { describeSearch } from './describeSearch.ts';
import { digestAddress, presentDay, presentDaysBefore, presentWithoutRows } from './present.ts';
import { listDigestIdsOfJob, recordVisit } from './repo.ts';
import { asksForTable, type TodayQuery, todayQuery } from './schema.ts';
import { getDayIn, getDayOfDigest, getDaysBefore, getTodayContext, type TodayDeps } from './service.ts';
import { showTable } from './showTable.ts';

type Deps = TodayDeps & { render: Renderer; readLimiter: ReadLimiter };

export function todayPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/today', requireUser, async (req, res) => {
    const query = todayQuery.parse(req.query);
    if (asksForTable(req.query)) return showTable(deps, req, res, query);
    if (isQuestion(query.q) && !isHtmx(req)) return res.redirect(303, askAddress(query.q));
    const presentNow = () => presentPage(deps, req, query);
    const page = query.q === '' ? await presentNow() : await deps.readLimiter(currentUser(req).id, presentNow);
    const shown = { ...page, keys: hasKeys(req) };
    if (isHtmx(req)) return deps.render.fragment(res, 'today/_update', { ...shown, title: todayTitle(shown) });
    showPage(deps, res, shown);
  });

  // The address used in the CRM's notes.
  pages.get('/digests/:digestId', requireUser, async (req, res) => {
    const digestId = String(req.params.digestId);
    res.redirect(302, digestAddress(await getDayOfDigest(deps, { userId: currentUser(req).id, digestId }), digestId));
  });

  return pages;
}

/** Reads in two parallel steps: the page's frame, then the day or the search. */
async function presentPage(deps: Deps, req: Request, { day, view, page, q, new: jobId, changed, was }: TodayQuery) {
  const userId = currentUser(req).id;
  const now = deps.clock.now();
  const [context, arrived, typed] = await Promise.all([
    getTodayContext(deps, { userId }),
    jobId ? listDigestIdsOfJob(deps.db, { userId, jobId }) : undefined,
    q === '' ? undefined : readSearchQuery(deps, q),
  ]);
  if (typed) {
    const [overview, hits] = await Promise.all([
      getDayIn(deps, context, { userId, day, promises: 'sidebar' }),
      searchRecentDigests(deps, context, { userId, ...typed }),
    ]);
    const { today, timezone } = overview;
    const found = describeSearch(hits, { view, page, today, timezone });
    const { views, here, say } = found;
    return {
      ...presentWithoutRows(overview, { view, page, now }),
      isFront: false,
      found,
      views,
      here,
      say,
      done: undefined,
    };
  }
  const isFront = (day ?? context.today) === context.today && view === 'today';
  const { today } = context;
  const [overview, decided, pinned, before, news] = await Promise.all([
    getDayIn(deps, context, { userId, day, promises: isFront ? 'all' : 'sidebar' }),
    findChanged(deps, { userId, today, decided: changed }),
    findProminenceToast(deps, { userId, token: was }),
    isFront ? getDaysBefore(deps, context, { userId }) : [],
    isFront ? recordVisit(deps.db, { userId, now, today, timezone: context.timezone }) : undefined,
  ]);
  const shown = presentDay(overview, { view, page, now, news, ...(arrived && { arrived }) });
  // Below the present day, when there is room for more.
  const daysBefore = shown.hasRoom ? presentDaysBefore(before, overview) : [];
  return { ...shown, daysBefore, done: describeChange({ changed: decided, today }) ?? pinned };
}

type TodayPage = Awaited<ReturnType<typeof presentPage>>;

function showPage({ render }: Deps, res: Response, shown: TodayPage) {
  const refreshSeconds = shown.sync.state === 'running' ? shown.sync.pollSeconds * 2 : 0;
  render.page(res, 'today/index', shown, { title: todayTitle(shown), nav: 'today', refreshSeconds });
}

function todayTitle(shown: TodayPage): string {
  if ('found' in shown) return `${shown.found.q} – Search`;
  return shown.isPast ? shown.date : 'Today';
}
