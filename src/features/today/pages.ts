import { Router } from 'express';
import { z } from 'zod';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { hasKeys } from '../contacts/reviewPages.ts';
import { asked, LIST_VIEWS } from './address.ts';
import { findDone } from './done.ts';
import { showList } from './listPages.ts';
import { placeOf, presentDay } from './presentDay.ts';
import { getDay, getDayOfDigest } from './service.ts';
import { tickPages } from './tickPages.ts';

const alsoAsked = z.object({
  view: z.enum(LIST_VIEWS).optional().catch(undefined),
  /** What was ticked a moment ago, without JavaScript. */
  done: z.string().max(200).optional().catch(undefined),
});

export function todayPages(deps: { db: Db; clock: Clock; render: Renderer }): Router {
  const pages = Router();
  pages.use(tickPages(deps));

  pages.get('/', (_req, res) => res.redirect(302, '/today'));

  pages.get('/today', requireUser, async (req, res) => {
    const { day, view, page } = asked.parse(req.query);
    const userId = currentUser(req).id;
    const { view: list, done: token } = alsoAsked.parse(req.query);
    const done = await findDone(deps, { userId, token });
    if (list) return showList(deps, req, res, { list, page, done });
    const overview = await getDay(deps, { userId, day });
    const shown = presentDay(overview, { view, page, now: deps.clock.now() });
    const refreshSeconds = shown.sync.state === 'running' ? shown.sync.pollSeconds * 2 : 0;
    deps.render.page(
      res,
      'today/index',
      { ...shown, done, keys: hasKeys(req) },
      {
        title: shown.isPast ? shown.date : 'Today',
        nav: 'today',
        refreshSeconds,
      },
    );
  });

  // The address that stands in the notes of the CRM.
  pages.get('/digests/:digestId', requireUser, async (req, res) => {
    const digestId = String(req.params.digestId);
    res.redirect(302, placeOf(await getDayOfDigest(deps, { userId: currentUser(req).id, digestId }), digestId));
  });

  return pages;
}
