import { Router } from 'express';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { parseInput } from '../../http/input.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Queue } from '../../lib/queue.ts';
import { toJson } from './present.ts';
import { bulkInput, changeInput, listInput } from './schema.ts';
import { changeMany, changePromise, getPromises } from './service.ts';

export function promisesApi(deps: { db: Db; clock: Clock; queue: Queue }): Router {
  const api = Router();
  api.use('/api/promises', requireUser);

  api.get('/api/promises', async (req, res) => {
    const asked = parseInput(listInput, req.query);
    const { promises, nextCursor } = await getPromises(deps, { userId: currentUser(req).id, ...asked });
    res.json({ promises: promises.map(toJson), nextCursor });
  });

  api.patch('/api/promises/:id', async (req, res) => {
    const change = parseInput(changeInput, req.body);
    const asked = { userId: currentUser(req).id, promiseId: String(req.params.id), change };
    res.json({ success: true, promise: toJson(await changePromise(deps, asked)) });
  });

  api.post('/api/promises/bulk', async (req, res) => {
    const { ids, change } = parseInput(bulkInput, req.body);
    const { promises, refused } = await changeMany(deps, { userId: currentUser(req).id, ids, change });
    res.json({ success: true, promises: promises.map(toJson), refused });
  });

  return api;
}
