import { type Request, Router } from 'express';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { parseInput } from '../../http/input.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { presentQuestion } from './present.ts';
import { agreeForm } from './schema.ts';
import { agree, getQuestion } from './service.ts';

type Deps = { db: Db; clock: Clock; render: Renderer };

const PATH = '/settings/apps/tokens/:id/reading';

/** What an assistant may read: asked for each by its name, with nothing chosen beforehand. */
export function assistantsPages(deps: Deps): Router {
  const pages = Router();

  pages.get(PATH, requireUser, async (req, res) => {
    const question = presentQuestion(await getQuestion(deps, ofToken(req)));
    deps.render.page(res, 'assistants/index', question, { title: question.title, nav: 'settings' });
  });

  pages.post(PATH, requireUser, async (req, res) => {
    const { private: all, groups } = parseInput(agreeForm, req.body);
    const { name } = await agree(deps, ofToken(req), { isPrivate: all === '1', groups });
    setFlash(req, { tone: 'ok', title: 'Saved', text: `What ${name} may read is listed under Privacy.` });
    res.redirect(303, '/settings/apps');
  });

  return pages;
}

function ofToken(req: Request) {
  return { userId: currentUser(req).id, tokenId: String(req.params.id) };
}
