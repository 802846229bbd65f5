import { type Request, type Response, Router } from 'express';
import { hasKeys } from '../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { parseInput } from '../../http/input.ts';
import { ownPath } from '../../http/ownPath.ts';
import type { Renderer } from '../../http/render.ts';
import { seeOther } from '../../http/seeOther.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { Conflict, InvalidInput } from '../../lib/errors.ts';
import { countOf } from '../../lib/words.ts';
import type { ChangeInput } from '../promises/schema.ts';
import { changeMany, changePromise } from '../promises/service.ts';
import { FLASH_TITLES, presentBoard } from './present.ts';
import { asked, bulkForm, decisionForm } from './schema.ts';
import { getBoard, undoBulk } from './service.ts';

type Deps = { db: Db; clock: Clock; render: Renderer };

/** The page of promises, and what is decided there and on Today. */
export function promisePages(deps: Deps): Router {
  const pages = Router();
  pages.use('/promises', requireUser);

  pages.get('/promises', async (req, res) => {
    const wanted = asked.parse(req.query);
    const board = await getBoard(deps, { userId: currentUser(req).id, ...wanted });
    const shown = { ...presentBoard(board, wanted), keys: hasKeys(req) };
    deps.render.page(res, 'promises/index', shown, { title: 'Promises', nav: 'promises' });
  });

  pages.post('/promises', async (req, res) => {
    const { ids, at, action, until, back } = parseInput(bulkForm, req.body);
    const here = ownPath(back, req.get('host')) ?? '/promises';
    const owner = { userId: currentUser(req).id };
    await redirectOnRefusal(req, res, here, async () => {
      if (action === 'undo' && at !== undefined) {
        const count = await undoBulk(deps, { ...owner, at: new Date(at) });
        setFlash(req, { tone: 'ok', title: 'Undone', text: countOf(count, 'promise.', 'promises.') });
        return here;
      }
      if (ids.length === 0) throw new InvalidInput('No promise was checked.', { ids: 'Check at least one.' });
      const { promises, refused } = await changeMany(deps, { ...owner, ids, change: changeOf(action, until) });
      if (refused.length > 0) setFlash(req, { tone: 'warn', title: refusedWords(refused.length) });
      const [first] = promises;
      return first ? tellingOf(here, String(first.changedAt.getTime())) : here;
    });
  });

  pages.post('/promises/:id', async (req, res) => {
    const { action, until, back } = parseInput(decisionForm, req.body);
    const here = ownPath(back, req.get('host')) ?? '/today';
    const asking = { userId: currentUser(req).id, promiseId: String(req.params.id), change: changeOf(action, until) };
    await redirectOnRefusal(req, res, here, async () => {
      const { id, words } = await changePromise(deps, asking);
      if (action !== 'undo' && isBoard(here)) return tellingOf(here, id);
      setFlash(req, { tone: 'ok', title: FLASH_TITLES[action], text: words });
      return here;
    });
  });

  return pages;
}

function changeOf(action: ChangeInput['action'], until: string | undefined): ChangeInput {
  if (action === 'snooze' && !until) throw new InvalidInput('Choose a day.', { until: 'Choose a day.' });
  return { action, until };
}

/** Decided otherwise meanwhile, or with a day that is over: nothing is changed, and the page says why. */
async function redirectOnRefusal(req: Request, res: Response, here: string, decide: () => Promise<string>) {
  try {
    seeOther(req, res, await decide());
  } catch (err) {
    if (!(err instanceof Conflict || err instanceof InvalidInput)) throw err;
    setFlash(req, { tone: 'warn', title: 'Nothing was changed', text: err.message });
    seeOther(req, res, here);
  }
}

function refusedWords(count: number): string {
  return `${countOf(count, 'promise was', 'promises were')} decided otherwise meanwhile`;
}

function isBoard(path: string): boolean {
  return /^\/promises(\?|$)/.test(path);
}

function tellingOf(here: string, token: string): string {
  const url = new URL(here, 'http://localhost');
  url.searchParams.set('changed', token);
  return url.pathname + url.search;
}
