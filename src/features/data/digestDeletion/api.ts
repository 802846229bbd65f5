import type { IRouter } from 'express';
import { currentUser, requireUser } from '../../../http/request.ts';
import type { Queued } from '../../../lib/queue.ts';
import { deleteDigest, deleteDigestsOf } from './service.ts';

export function digestDeletionApi(api: IRouter, deps: Queued): void {
  api.delete('/api/digests/:id', requireUser, async (req, res) => {
    await deleteDigest(deps, { userId: currentUser(req).id, digestId: String(req.params.id) });
    res.json({ success: true });
  });

  api.delete('/api/messenger/dialogs/:id/digests', requireUser, async (req, res) => {
    const deleted = await deleteDigestsOf(deps, { userId: currentUser(req).id, dialogId: String(req.params.id) });
    res.json({ success: true, deleted });
  });
}
