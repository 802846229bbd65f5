import type { IRouter } from 'express';
import { currentUser, parseInput, requireUser } from '../../http/request.ts';
import type { Queued } from '../../lib/queue.ts';
import { findJob } from './repo.ts';
import { type SyncResult, type SyncStatusJson, statusInput } from './schema.ts';
import { triggerSync } from './service.ts';

const NO_RESULT: SyncResult = { dialogsProcessed: 0, digestsCreated: 0, notesCreated: 0, errors: [] };
const NOT_FOUND = { state: 'not_found', progress: 0, result: NO_RESULT } as const;

export function syncApi(api: IRouter, deps: Queued): void {
  api.use('/api/sync', requireUser);

  api.post('/api/sync/trigger', async (req, res) => {
    res.json(await triggerSync(deps, { userId: currentUser(req).id }));
  });

  api.get('/api/sync/status', async (req, res) => {
    const { jobId } = parseInput(statusInput, req.query);
    const job = await findJob(deps.db, { userId: currentUser(req).id, jobId });
    const { state, progress, result } = job ?? NOT_FOUND;
    res.json({ state, progress, result } satisfies SyncStatusJson);
  });
}
