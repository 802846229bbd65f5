import { Router } from 'express';
import { hasKeys, type Renderer } from '../../../http/render.ts';
import { currentUser, isHtmx, requireUser } from '../../../http/request.ts';
import type { Timed } from '../../../lib/clock.ts';
import { countBoard, findChanged } from '../../promises/list/service.ts';
import { MAX_SHOWN, PER_PAGE, presentWeek } from './present.ts';
import { weekQuery } from './schema.ts';
import { readWeek } from './service.ts';

export function weekPages(deps: Timed & { render: Renderer }): Router {
  const pages = Router();

  pages.get('/week', requireUser, async (req, res) => {
    const query = weekQuery.parse(req.query);
    const { list, page, changed: decided } = query;
    const userId = currentUser(req).id;
    const slice = list ? { only: list, promiseLimit: PER_PAGE, offset: (page - 1) * PER_PAGE } : { promiseLimit: MAX_SHOWN };
    const [week, board] = await Promise.all([
      readWeek(deps, { userId, week: query.week, ...slice }),
      countBoard(deps, { userId, dialog: undefined, q: undefined }),
    ]);
    const changed = await findChanged(deps, { userId, today: week.today, timeOfDay: week.timeOfDay, decided });
    const shown = { ...presentWeek(week, { query, board, changed }), keys: hasKeys(req) };
    if (isHtmx(req)) return deps.render.fragment(res, 'week/_update', shown);
    deps.render.page(res, 'week/index', shown, { title: 'The week', nav: 'promises' });
  });

  return pages;
}
