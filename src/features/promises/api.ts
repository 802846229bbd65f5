import type { IRouter } from 'express';
import type { ReadTyped } from '../../clients/summarizer/types.ts';
import { currentUser, parseInput, requireUser } from '../../http/request.ts';
import type { Queued } from '../../lib/queue.ts';
import { toJson } from './present.ts';
import { addInput, bulkInput, changeInput, editInput, listInput, readInput } from './schema.ts';
import { addPromise, changeMany, changePromise, editPromise, getPromises, parseTypedPromise } from './service.ts';

export function promisesApi(api: IRouter, deps: Queued & { readTyped: ReadTyped }): void {
  api.use('/api/promises', requireUser);

  api.get('/api/promises', async (req, res) => {
    const request = parseInput(listInput, req.query);
    const { promises, nextCursor } = await getPromises(deps, { userId: currentUser(req).id, ...request });
    res.json({ promises: promises.map(toJson), nextCursor });
  });

  api.patch('/api/promises/:id', async (req, res) => {
    const change = parseInput(changeInput, req.body);
    const request = { userId: currentUser(req).id, promiseId: String(req.params.id), change };
    res.json({ success: true, promise: toJson(await changePromise(deps, request)) });
  });

  api.post('/api/promises/bulk', async (req, res) => {
    const { ids, change } = parseInput(bulkInput, req.body);
    const { promises, refused } = await changeMany(deps, { userId: currentUser(req).id, ids, change });
    res.json({ success: true, promises: promises.map(toJson), refused });
  });

  api.post('/api/promises', async (req, res) => {
    const added = parseInput(addInput, req.body);
    res.json({ success: true, promise: toJson(await addPromise(deps, { userId: currentUser(req).id, ...added })) });
  });

  api.get('/api/promises/read', async (req, res) => {
    const { text } = parseInput(readInput, req.query);
    res.json(await parseTypedPromise(deps, { userId: currentUser(req).id, text }));
  });

  api.patch('/api/promises/:id/fields', async (req, res) => {
    const edit = parseInput(editInput, req.body);
    const promise = await editPromise(deps, { userId: currentUser(req).id, promiseId: String(req.params.id), edit });
    res.json({ success: true, promise: toJson(promise) });
  });
}
