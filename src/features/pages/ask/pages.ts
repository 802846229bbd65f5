import { type Request, type Response, Router } from 'express';
import { hasKeys, type Renderer } from '../../../http/render.ts';
import { currentUser, isHtmx, requireUser } from '../../../http/request.ts';
import type { UserKey } from '../../../lib/db.ts';
import type { ReadLimiter } from '../../../lib/readLimiter.ts';
import { hasDigests } from '../../digests/repo.ts';
import { askAddress, presentAnswer, presentEmpty } from './present.ts';
import { askQuery } from './schema.ts';
import { type AnswerDeps, askDigests, findSentences, toAskOfModel, tryWriting } from './service.ts';

type Deps = AnswerDeps & { render: Renderer; readLimiter: ReadLimiter; syncLine(owner: UserKey): Promise<object> };

/** The page that answers a question with what digests and promises say. */
export function askPages(deps: Deps): Router {
  const pages = Router();

  pages.get('/ask', requireUser, async (req, res) => {
    const userId = currentUser(req).id;
    const { q } = askQuery.parse(req.query);
    await showAnswers(deps, req, res, q ? readAnswer(userId, q) : readEmpty(userId));
  });
  const readEmpty = async (userId: string) => presentEmpty({ isBegun: await hasDigests(deps.db, { userId }) });
  async function readAnswer(userId: string, typed: string) {
    const answer = await deps.readLimiter(userId, () => askDigests(deps, { userId, typed }));
    return presentAnswer(answer, await findSentences(deps, toAskOfModel({ userId, answer })));
  }

  // The page is there before, with all passages: this may take a while.
  pages.post('/ask/sentences', requireUser, async (req, res) => {
    const userId = currentUser(req).id;
    const { q } = askQuery.parse(req.body ?? {});
    if (!q) return res.redirect(303, '/ask');
    const answer = await deps.readLimiter(userId, () => askDigests(deps, { userId, typed: q }));
    const shown = presentAnswer(answer, await tryWriting(deps, toAskOfModel({ userId, answer })));
    if (isHtmx(req)) return deps.render.fragment(res, 'ask/_answer', { ...shown, isAskedNow: true });
    if (!shown.answer?.failure) return res.redirect(303, askAddress(q));
    await showAnswers(deps, req, res, { ...shown, isAskedNow: true });
  });

  return pages;
}

type AskView = ReturnType<typeof presentEmpty> | ReturnType<typeof presentAnswer>;

async function showAnswers(
  deps: Deps,
  req: Request,
  res: Response,
  answered: Promise<AskView> | (AskView & { isAskedNow: boolean }),
): Promise<void> {
  const [sync, shown] = await Promise.all([deps.syncLine({ userId: currentUser(req).id }), answered]);
  const data = { isAskedNow: false, ...shown, sync, keys: hasKeys(req) };
  deps.render.page(res, 'ask/index', data, { title: 'Ask', nav: 'ask' });
}
