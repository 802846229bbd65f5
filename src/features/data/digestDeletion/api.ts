import { Router } from 'express';
import { currentUser, requireUser } from '../../../http/request.ts';
import type { Queued } from '../../../lib/queue.ts';
import { deleteDigest, deleteDigestsOf } from './service.ts';

export function digestDeletionApi(deps: Queued): Router {
  const api = Router();

  api.delete('/api/digests/:id', requireUser, async (req, res) => {
    await deleteDigest(deps, { userId: currentUser(req).id, digestId: String(req.params.id) });
    res.json({ success: true });
  });

  api.delete('/api/messenger/dialogs/:id/digests', requireUser, async (req, res) => {
    const deleted = await deleteDigestsOf(deps, { userId: currentUser(req).id, dialogId: String(req.params.id) });
    res.json({ success: true, deleted });
  });

  return api;
}
