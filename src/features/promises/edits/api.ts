import { Router } from 'express';
import type { ReadTyped } from '../../../clients/summarizer/types.ts';
import { currentUser, requireUser } from '../../../http/currentUser.ts';
import { parseInput } from '../../../http/input.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import type { Queue } from '../../../lib/queue.ts';
import { toJson } from '../present.ts';
import { addInput, editInput, readInput } from './schema.ts';
import { addPromise, editPromise, readTyped } from './service.ts';

export function promiseEditsApi(deps: { db: Db; clock: Clock; queue: Queue; readTyped: ReadTyped }): Router {
  const api = Router();

  api.post('/api/promises', requireUser, async (req, res) => {
    const added = parseInput(addInput, req.body);
    res.json({ success: true, promise: toJson(await addPromise(deps, { userId: currentUser(req).id, ...added })) });
  });

  api.get('/api/promises/read', requireUser, async (req, res) => {
    const { text } = parseInput(readInput, req.query);
    res.json(await readTyped(deps, { userId: currentUser(req).id, text }));
  });

  api.patch('/api/promises/:id/fields', requireUser, async (req, res) => {
    const edit = parseInput(editInput, req.body);
    const promise = await editPromise(deps, { userId: currentUser(req).id, promiseId: String(req.params.id), edit });
    res.json({ success: true, promise: toJson(promise) });
  });

  return api;
}
