import { type Request, type Response, Router } from 'express';
import { hasKeys } from '../../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../../http/currentUser.ts';
import { setFlash } from '../../../http/flash.ts';
import { isHtmx } from '../../../http/htmx.ts';
import { parseInput } from '../../../http/input.ts';
import { ownPath } from '../../../http/ownPath.ts';
import { Conflict, NotFound } from '../../../lib/errors.ts';
import { isUuid } from '../../../lib/uuid.ts';
import { getSettings } from '../../base/settings/service.ts';
import { type ChangeInput, changeForm } from '../waiting/schema.ts';
import { changeWaiting, getWaiting } from '../waiting/service.ts';
import { presentCounts } from './present.ts';
import { countBoard } from './service.ts';
import { askedBy, type InPlaceDeps, isBoard } from './showChanged.ts';

/** "No answer needed" and its undo, for every page that lists who waits. */
export function routeWaiting(deps: InPlaceDeps): Router {
  const pages = Router();

  pages.post('/waiting/:dialogId', requireUser, async (req, res) => {
    const { back, ...change } = parseInput(changeForm, req.body);
    const here = ownPath(back, req.get('host')) ?? '/promises?view=waiting';
    const dialogId = String(req.params.dialogId);
    if (!isUuid(dialogId)) throw new NotFound('conversation');
    const decided = { ...change, dialogId, here };
    const deciding = changeWaiting(deps, { userId: currentUser(req).id, dialogId, ...change });
    if (isHtmx(req)) return showInPlace(deps, req, res, { ...decided, deciding });
    setFlash(req, await flashOf(decided, deciding));
    res.redirect(303, here);
  });

  return pages;
}

type Decided = Pick<ChangeInput, 'action' | 'dialogId'> & { here: string };
type Deciding = Promise<{ name: string }>;

const wordsOf = ({ action }: Decided, name: string) =>
  action === 'dismiss' ? `No answer needed: ${name}` : `Waiting again: ${name}`;

/** If it was already undone, it stays as it is, and the page says why. */
async function flashOf(decided: Decided, deciding: Deciding) {
  try {
    const title = wordsOf(decided, (await deciding).name);
    const undo = { path: `/waiting/${decided.dialogId}`, back: decided.here };
    return { tone: 'ok' as const, title, ...(decided.action === 'dismiss' && { undo }) };
  } catch (err) {
    if (!(err instanceof Conflict)) throw err;
    return { tone: 'warn' as const, title: 'Nothing was changed', text: err.message };
  }
}

/** The line with Undo, and out of band what the page counts. */
async function showInPlace(
  deps: InPlaceDeps,
  req: Request,
  res: Response,
  { deciding, ...decided }: Decided & { deciding: Deciding },
) {
  const { here, dialogId } = decided;
  const userId = currentUser(req).id;
  const wanted = isBoard(here) ? askedBy(here) : undefined;
  const [{ name }, config, board, page] = await Promise.all([
    deciding,
    getSettings(deps, { userId }),
    wanted && countBoard(deps, { userId, ...wanted, deciding }),
    wanted ? undefined : deps.countToday({ userId, here, deciding }),
  ]);
  const { count } = board?.waiting ?? (await getWaiting(deps, { userId, config, limit: 0 }));
  const words = wordsOf(decided, name);
  const isUndo = decided.action === 'undo';
  const keys = hasKeys(req);
  deps.render.fragment(res, 'shared/waiting/_changed', {
    ...{ here, keys, count, page },
    done: isUndo ? undefined : { words, undo: `/waiting/${dialogId}`, fields: { action: 'undo' }, rows: [dialogId] },
    say: keys && !isUndo ? `${words}. Undo with Z` : words,
    ...(wanted && board && { board: presentCounts(board, wanted) }),
  });
}
