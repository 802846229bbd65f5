import { Router } from 'express';
import { hasKeys } from '../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { hasDigests } from '../digests/repo.ts';
import { presentAnswer, presentEmpty } from './present.ts';
import { asked } from './schema.ts';
import { askDigests } from './service.ts';

type Deps = { db: Db; clock: Clock; render: Renderer };

/** The page that answers a question with what digests and promises say. */
export function askPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/ask', requireUser, async (req, res) => {
    const userId = currentUser(req).id;
    const { q } = asked.parse(req.query);
    const shown = q
      ? presentAnswer(await askDigests(deps, { userId, typed: q }))
      : presentEmpty({ isBegun: await hasDigests(deps.db, { userId }) });
    deps.render.page(res, 'ask/index', { ...shown, keys: hasKeys(req) }, { title: 'Ask', nav: 'ask' });
  });

  return pages;
}
