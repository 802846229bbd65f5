import { Router } from 'express';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { parseInput } from '../../http/input.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { answerJson } from './present.ts';
import { askInput } from './schema.ts';
import { askDigests } from './service.ts';

export function askApi(deps: { db: Db; clock: Clock }): Router {
  const api = Router();

  api.get('/api/ask', requireUser, async (req, res) => {
    const { q } = parseInput(askInput, req.query);
    res.json(answerJson(await askDigests(deps, { userId: currentUser(req).id, typed: q })));
  });

  return api;
}
