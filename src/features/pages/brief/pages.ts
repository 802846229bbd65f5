import type { IRouter, Request, Response } from 'express';
import { hasKeys, type Renderer } from '../../../http/render.ts';
import { currentUser, isHtmx, requireUser } from '../../../http/request.ts';
import { type DescribeDeps, type DescribedBrief, describeBrief } from './service.ts';

/** A printable page about a conversation, for preparing a call. */
export function briefPages(pages: IRouter, deps: DescribeDeps & { render: Renderer }): void {
  pages.get('/brief/:dialogId', requireUser, async (req, res) => {
    const about = { userId: currentUser(req).id, dialogId: String(req.params.dialogId) };
    showBrief(deps, req, res, await describeBrief(deps, { ...about, writes: false }));
  });

  // The page is there before, with all its lines: this may take a while.
  pages.post('/brief/:dialogId/sentences', requireUser, async (req, res) => {
    const about = { userId: currentUser(req).id, dialogId: String(req.params.dialogId) };
    const shown = { ...(await describeBrief(deps, { ...about, writes: true })), isAskedNow: true };
    if (isHtmx(req)) return deps.render.fragment(res, 'brief/_written', shown);
    if (!shown.written?.failure) return res.redirect(303, `/brief/${shown.id}`);
    showBrief(deps, req, res, shown);
  });
}

/** Renders the page. @param isAskedNow the model was asked for this request, and is not asked by the page again */
function showBrief(
  { render }: { render: Renderer },
  req: Request,
  res: Response,
  { isAskedNow = false, ...shown }: DescribedBrief & { isAskedNow?: boolean },
): void {
  const data = { ...shown, isAskedNow, keys: hasKeys(req) };
  render.page(res, 'brief/index', data, { title: `Brief: ${shown.name}`, nav: 'today' });
}
