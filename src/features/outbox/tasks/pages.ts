import type { IRouter } from 'express';
import type { CrmClient } from '../../../clients/crm/types.ts';
import { currentUser, requireUser } from '../../../http/request.ts';
import type { Db } from '../../../lib/db.ts';
import { findTaskUrl } from './service.ts';

export function tasksPages(pages: IRouter, deps: { db: Db; crm: CrmClient | undefined }): void {
  pages.get('/promises/:id/task', requireUser, async (req, res) => {
    res.redirect(302, await findTaskUrl(deps, { userId: currentUser(req).id, promiseId: String(req.params.id) }));
  });
}
