import { Router } from 'express';
import { currentUser, parseInput, requireUser } from '../../../http/request.ts';
import type { ReadLimiter } from '../../../lib/readLimiter.ts';
import { answerJson } from './present.ts';
import { askInput } from './schema.ts';
import { type AnswerDeps, askDigests, findSentences, toAskOfModel, tryWriting } from './service.ts';

export function askApi(deps: AnswerDeps & { readLimiter: ReadLimiter }): Router {
  const api = Router();

  api.get('/api/ask', requireUser, async (req, res) => {
    const { q, sentences } = parseInput(askInput, req.query);
    const userId = currentUser(req).id;
    const answer = await deps.readLimiter(userId, () => askDigests(deps, { userId, typed: q }));
    const find = sentences === 'true' ? tryWriting : findSentences;
    res.json(answerJson(answer, await find(deps, toAskOfModel({ userId, answer }))));
  });

  return api;
}
