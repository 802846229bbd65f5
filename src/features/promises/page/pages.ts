import { type Request, type Response, Router } from 'express';
import { hasKeys } from '../../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../../http/currentUser.ts';
import { setFlash } from '../../../http/flash.ts';
import { isHtmx } from '../../../http/htmx.ts';
import { parseInput } from '../../../http/input.ts';
import { ownPath } from '../../../http/ownPath.ts';
import { seeOther } from '../../../http/seeOther.ts';
import { withQuery } from '../../../http/withQuery.ts';
import { Conflict, InvalidInput } from '../../../lib/errors.ts';
import { countOf } from '../../../lib/words.ts';
import { toTitle } from '../../digests/describeWords.ts';
import type { ChangeInput } from '../schema.ts';
import { changeMany, changePromise } from '../service.ts';
import { flashTitle, presentBoard } from './present.ts';
import { routeWaiting } from './routeWaiting.ts';
import { asked, bulkForm, decisionForm } from './schema.ts';
import { getBoard, undoBulk } from './service.ts';
import { type InPlaceDeps, showChanged, showsDecision } from './showChanged.ts';

/** The page of promises, and the decisions made there and on other pages that list promises. */
export function promisePages(deps: InPlaceDeps): Router {
  const pages = Router();
  pages.use('/promises', requireUser);
  pages.use(routeWaiting(deps));

  pages.get('/promises', async (req, res) => {
    const wanted = asked.parse(req.query);
    const board = await getBoard(deps, { userId: currentUser(req).id, ...wanted });
    const shown = { ...presentBoard(board, wanted), keys: hasKeys(req) };
    if (isHtmx(req)) return deps.render.fragment(res, 'promises/_update', shown);
    deps.render.page(res, 'promises/index', shown, { title: 'Promises', nav: 'promises' });
  });

  pages.post('/promises', async (req, res) => {
    const { ids, at, action, until, day, back } = parseInput(bulkForm, req.body);
    const here = ownPath(back, req.get('host')) ?? '/promises';
    const owner = { userId: currentUser(req).id };
    if (action === 'undo' && at !== undefined) {
      const undoing = undoBulk(deps, { ...owner, at });
      if (isHtmx(req)) return showChanged(deps, req, res, { here, isUndo: true, deciding: undoing });
      setFlash(req, { tone: 'ok', title: 'Undone', text: countOf((await undoing).length, 'promise.', 'promises.') });
      return seeOther(req, res, here);
    }
    await redirectOnRefusal(req, res, here, async () => {
      if (ids.length === 0) throw new InvalidInput('No promise was selected.', { ids: 'Select at least one.' });
      const changing = changeMany(deps, { ...owner, ids, change: changeOf(action, until ?? day) });
      if (isHtmx(req)) {
        return showChanged(deps, req, res, { here, deciding: changing.then(({ promises }) => promises) });
      }
      const { promises, refused } = await changing;
      if (refused.length > 0) setFlash(req, { tone: 'warn', title: refusedWords(refused.length) });
      const [first] = promises;
      seeOther(req, res, first ? withQuery(here, 'changed', String(first.changedAt.getTime())) : here);
    });
  });

  pages.post('/promises/:id', async (req, res) => {
    const { action, until, back } = parseInput(decisionForm, req.body);
    const here = ownPath(back, req.get('host')) ?? '/today';
    const asking = { userId: currentUser(req).id, promiseId: String(req.params.id), change: changeOf(action, until) };
    await redirectOnRefusal(req, res, here, async () => {
      const changing = changePromise(deps, asking);
      const isUndo = action === 'undo' || action === 'reopen';
      if (isHtmx(req)) {
        return showChanged(deps, req, res, { here, isUndo, deciding: changing.then(promise => [promise]) });
      }
      const promise = await changing;
      if (action !== 'undo' && showsDecision(here)) return seeOther(req, res, withQuery(here, 'changed', promise.id));
      setFlash(req, { tone: 'ok', title: flashTitle(action, promise.state), text: toTitle(promise) });
      seeOther(req, res, here);
    });
  });

  return pages;
}

function changeOf(action: ChangeInput['action'], until: string | undefined): ChangeInput {
  if (action === 'snooze' && !until) throw new InvalidInput('Choose a day.', { until: 'Choose a day.' });
  return { action, until };
}

/**
 * If the promise was decided differently meanwhile, or the day is past, nothing is changed and the page says why; a
 * decision made in place says so at once.
 */
async function redirectOnRefusal(req: Request, res: Response, here: string, decide: () => Promise<void>) {
  try {
    await decide();
  } catch (err) {
    if (isHtmx(req) || !(err instanceof Conflict || err instanceof InvalidInput)) throw err;
    setFlash(req, { tone: 'warn', title: 'Nothing was changed', text: err.message });
    seeOther(req, res, here);
  }
}

function refusedWords(count: number): string {
  return `${countOf(count, 'promise was', 'promises were')} decided otherwise meanwhile`;
}
