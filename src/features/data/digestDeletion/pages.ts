import type { IRouter, Request, Response } from 'express';
import { type Renderer, setFlash } from '../../../http/render.ts';
import { currentUser, requireUser } from '../../../http/request.ts';
import type { Queued } from '../../../lib/queue.ts';
import { fromPage } from '../../digests/schema.ts';
import { findUserMoment } from '../../promises/service.ts';
import { deletedFlash, presentDeletion } from './present.ts';
import { type DeletionQuestion, deleteDigest, deleteDigestsOf, getDeletionOfAll, getDigestDeletion } from './service.ts';

type Deps = Queued & { render: Renderer };

/** The question before one digest, or all of a conversation, are deleted, and the deletion. */
export function digestDeletionPages(pages: IRouter, deps: Deps): void {
  pages.get('/digests/:digestId/delete', requireUser, async (req, res) => {
    const owned = { userId: currentUser(req).id, digestId: String(req.params.digestId) };
    showQuestion(deps, req, res, await getDigestDeletion(deps, owned), `/digests/${owned.digestId}/delete`);
  });

  pages.post('/digests/:digestId/delete', requireUser, async (req, res) => {
    const userId = currentUser(req).id;
    const { dialogId, digestDate } = await deleteDigest(deps, { userId, digestId: String(req.params.digestId) });
    const { today } = await findUserMoment(deps, { userId });
    setFlash(req, deletedFlash({ day: digestDate, today }));
    res.redirect(303, returnAddress(dialogId, fromPage.parse(req.body).page));
  });

  pages.get('/conversations/:dialogId/delete', requireUser, async (req, res) => {
    const target = { userId: currentUser(req).id, dialogId: String(req.params.dialogId) };
    showQuestion(deps, req, res, await getDeletionOfAll(deps, target), `/conversations/${target.dialogId}/delete`);
  });

  pages.post('/conversations/:dialogId/delete', requireUser, async (req, res) => {
    const target = { userId: currentUser(req).id, dialogId: String(req.params.dialogId) };
    setFlash(req, deletedFlash({ count: await deleteDigestsOf(deps, target) }));
    res.redirect(303, returnAddress(target.dialogId, 1));
  });
}

function showQuestion({ render }: Deps, req: Request, res: Response, question: DeletionQuestion, action: string) {
  const { page } = fromPage.parse(req.query);
  const data = { ...presentDeletion(question), action, page, back: returnAddress(question.dialog.id, page) };
  render.page(res, 'digestDeletion/index', data, { title: 'Delete digests', nav: 'today' });
}

function returnAddress(dialogId: string, page: number): string {
  return `/conversations/${dialogId}${page > 1 ? `?page=${page}` : ''}`;
}
