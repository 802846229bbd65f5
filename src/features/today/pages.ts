import { Router } from 'express';
import { z } from 'zod';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { placeOf, presentDay } from './presentDay.ts';
import { VIEWS } from './rules.ts';
import { getDay, getDayOfDigest } from './service.ts';

/** An address with a wrong part shows the plain page instead of an error. */
const asked = z.object({
  day: z.iso
    .date()
    .refine(day => day > '2000')
    .optional()
    .catch(undefined),
  view: z.enum(VIEWS).catch('everything'),
  page: z.coerce.number().int().min(1).max(1000).catch(1),
});

export function todayPages(deps: { db: Db; clock: Clock; render: Renderer }): Router {
  const pages = Router();

  pages.get('/', (_req, res) => res.redirect(302, '/today'));

  pages.get('/today', requireUser, async (req, res) => {
    const { day, view, page } = asked.parse(req.query);
    const overview = await getDay(deps, { userId: currentUser(req).id, day });
    const shown = presentDay(overview, { view, page, now: deps.clock.now() });
    const refreshSeconds = shown.sync.state === 'running' ? shown.sync.pollSeconds * 2 : 0;
    deps.render.page(res, 'today/index', shown, {
      title: shown.isPast ? shown.date : 'Today',
      nav: 'today',
      refreshSeconds,
    });
  });

  // The address that stands in the notes of the CRM.
  pages.get('/digests/:digestId', requireUser, async (req, res) => {
    const digestId = String(req.params.digestId);
    res.redirect(302, placeOf(await getDayOfDigest(deps, { userId: currentUser(req).id, digestId }), digestId));
  });

  return pages;
}
