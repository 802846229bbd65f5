import { Router } from 'express';
import { hasKeys } from '../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import type { Renderer } from '../../http/render.ts';
import { presentBrief } from './present.ts';
import { type BriefDeps, getBrief } from './service.ts';

/** One printed page about a conversation, to read before a call. */
export function briefPages(deps: BriefDeps & { render: Renderer }): Router {
  const pages = Router();

  pages.get('/brief/:dialogId', requireUser, async (req, res) => {
    const brief = await getBrief(deps, { userId: currentUser(req).id, dialogId: String(req.params.dialogId) });
    const shown = { ...presentBrief(brief), keys: hasKeys(req) };
    deps.render.page(res, 'brief/index', shown, { title: `Brief: ${shown.name}`, nav: 'today' });
  });

  return pages;
}
