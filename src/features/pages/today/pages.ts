import { type Response, Router } from 'express';
import { hasKeys, type Renderer } from '../../../http/render.ts';
import { currentUser, isHtmx, requireUser } from '../../../http/request.ts';
import type { ReadLimiter } from '../../../lib/readLimiter.ts';
import { foldWords, searchRecentDigests } from '../../digests/service.ts';
import { findProminenceToast } from '../../messenger/dialogs/service.ts';
import { describeChange } from '../../promises/list/present.ts';
import { findChanged } from '../../promises/list/service.ts';
import { askAddress } from '../ask/present.ts';
import { isQuestion } from '../ask/rules.ts';
import { describeSearch, digestAddress, presentDay, presentDaysBefore, presentWithoutRows } from './present.ts';
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
    const { id: userId } = currentUser(req);
    const page =
      query.q === ''
        ? await presentDayPage(deps, { userId, ...query })
        : await deps.readLimiter(userId, () => presentSearch(deps, { userId, ...query }));
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

type PageQuery = TodayQuery & { userId: string };

/** The results of a search, beside them what Today always shows. */
async function presentSearch(deps: Deps, { userId, day, view, page, q }: PageQuery) {
  const [context, words] = await Promise.all([getTodayContext(deps, { userId }), foldWords(deps.db, q)]);
  const [overview, hits] = await Promise.all([
    getDayIn(deps, context, { userId, day, promises: 'sidebar' }),
    searchRecentDigests(deps, context, { userId, typed: q, words }),
  ]);
  const { today, timezone } = overview;
  const found = describeSearch(hits, { view, page, today, timezone });
  const { views, here, say } = found;
  const frame = presentWithoutRows(overview, { view, page, now: deps.clock.now() });
  return { ...frame, isFront: false, found, views, here, say, done: undefined };
}

/** One day, read in two parallel steps: the page's frame, then what depends on the user's present day. */
async function presentDayPage(deps: Deps, { userId, day, view, page, new: jobId, changed, was }: PageQuery) {
  const now = deps.clock.now();
  const [context, arrived] = await Promise.all([
    getTodayContext(deps, { userId }),
    jobId ? listDigestIdsOfJob(deps.db, { userId, jobId }) : undefined,
  ]);
  const { today, timeOfDay } = context;
  const isFront = (day ?? today) === today && view === 'today';
  const [overview, decided, pinned, before, news] = await Promise.all([
    getDayIn(deps, context, { userId, day, promises: isFront ? 'all' : 'sidebar' }),
    findChanged(deps, { userId, today, timeOfDay, decided: changed }),
    findProminenceToast(deps, { userId, token: was }),
    isFront ? getDaysBefore(deps, context, { userId }) : [],
    isFront ? recordVisit(deps.db, { userId, now, today, timezone: context.timezone }) : undefined,
  ]);
  const shown = presentDay(overview, { view, page, now, news, ...(arrived && { arrived }) });
  // Below the present day, when there is room for more.
  const daysBefore = shown.hasRoom ? presentDaysBefore(before, overview) : [];
  return { ...shown, daysBefore, done: describeChange({ changed: decided, today }) ?? pinned };
}

type TodayPage = Awaited<ReturnType<typeof presentSearch>> | Awaited<ReturnType<typeof presentDayPage>>;

function showPage({ render }: Deps, res: Response, shown: TodayPage) {
  const refreshSeconds = shown.sync.state === 'running' ? shown.sync.pollSeconds * 2 : 0;
  render.page(res, 'today/index', shown, { title: todayTitle(shown), nav: 'today', refreshSeconds });
}

function todayTitle(shown: TodayPage): string {
  if ('found' in shown) return `${shown.found.q} – Search`;
  return shown.isPast ? shown.date : 'Today';
}
