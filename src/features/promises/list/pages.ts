import type { IRouter, Request, Response } from 'express';
import type { ReadTyped } from '../../../clients/summarizer/types.ts';
import type { NavigationCounts } from '../../../http/navigation.ts';
import { toOwnPath, withQuery } from '../../../http/ownPath.ts';
import { hasKeys, type Renderer, seeOther, setFlash } from '../../../http/render.ts';
import { currentUser, isHtmx, parseInput, requireUser } from '../../../http/request.ts';
import { isUuid } from '../../../lib/db.ts';
import { Conflict, InvalidInput, NotFound } from '../../../lib/errors.ts';
import type { Queued } from '../../../lib/queue.ts';
import { formatQuantity } from '../../../lib/words.ts';
import { getSettings } from '../../base/settings/service.ts';
import { toTitle } from '../../digests/quoteSource.ts';
import type { ChangeInput, UserPromise } from '../schema.ts';
import { changeMany, changePromise, findUserToday } from '../service.ts';
import { changeForm, type WaitingChange } from '../waiting/schema.ts';
import { changeWaiting, getWaiting } from '../waiting/service.ts';
import { describeChange, flashTitle, presentBoard, presentCounts } from './present.ts';
import { routeEdits } from './routeEdits.ts';
import { bulkForm, decisionForm, isBoardPath, promisesQuery, readPromisesQuery, showsDecision } from './schema.ts';
import { countBoard, getBoard, undoBulk } from './service.ts';

/** The page of promises, and the decisions made there and on other pages that list promises. */
export function promisePages(pages: IRouter, deps: InPlaceDeps & { readTyped: ReadTyped } & SyncLine): void {
  pages.use('/promises', requireUser);
  routeWaiting(pages, deps);
  // Registered before the page whose path takes a promise's id.
  routeEdits(pages, deps);

  pages.get('/promises', async (req, res) => {
    const query = promisesQuery.parse(req.query);
    const userId = currentUser(req).id;
    const [board, sync] = await Promise.all([getBoard(deps, { userId, ...query }), deps.syncLine({ userId })]);
    const shown = { ...presentBoard(board, query), sync, keys: hasKeys(req) };
    if (isHtmx(req)) return deps.render.fragment(res, 'promises/_update', shown);
    deps.render.page(res, 'promises/index', shown, { title: 'Promises', nav: 'promises' });
  });

  pages.post('/promises', async (req, res) => {
    const { ids, at, action, until, day, back } = parseInput(bulkForm, req.body);
    const returnPath = toOwnPath(back, req.get('host')) ?? '/promises';
    const owner = { userId: currentUser(req).id };
    if (action === 'undo' && at !== undefined) {
      const undoing = undoBulk(deps, { ...owner, at });
      if (isHtmx(req)) return showChanged(deps, req, res, { here: returnPath, isUndo: true, deciding: undoing });
      setFlash(req, { tone: 'ok', title: 'Undone', text: formatQuantity((await undoing).length, 'promise.', 'promises.') });
      return seeOther(req, res, returnPath);
    }
    await redirectOnRefusal(req, res, returnPath, async () => {
      if (ids.length === 0) throw new InvalidInput('No promise was selected.', { ids: 'Select at least one.' });
      const changing = changeMany(deps, { ...owner, ids, change: toChangeInput(action, until ?? day) });
      if (isHtmx(req)) {
        return showChanged(deps, req, res, { here: returnPath, deciding: changing.then(({ promises }) => promises) });
      }
      const { promises, refused } = await changing;
      const title = `${formatQuantity(refused.length, 'promise was', 'promises were')} decided otherwise meanwhile`;
      if (refused.length > 0) setFlash(req, { tone: 'warn', title });
      const [first] = promises;
      seeOther(req, res, first ? withQuery(returnPath, 'changed', String(first.changedAt.getTime())) : returnPath);
    });
  });

  pages.post('/promises/:id', async (req, res) => {
    const { action, until, back } = parseInput(decisionForm, req.body);
    const returnPath = toOwnPath(back, req.get('host')) ?? '/today';
    const request = { userId: currentUser(req).id, promiseId: String(req.params.id), change: toChangeInput(action, until) };
    await redirectOnRefusal(req, res, returnPath, async () => {
      const changing = changePromise(deps, request);
      const isUndo = action === 'undo' || action === 'reopen';
      if (isHtmx(req)) {
        return showChanged(deps, req, res, { here: returnPath, isUndo, deciding: changing.then(promise => [promise]) });
      }
      const promise = await changing;
      if (action !== 'undo' && showsDecision(returnPath))
        return seeOther(req, res, withQuery(returnPath, 'changed', promise.id));
      setFlash(req, { tone: 'ok', title: flashTitle(action, promise.state), text: toTitle(promise) });
      seeOther(req, res, returnPath);
    });
  });
}

function toChangeInput(action: ChangeInput['action'], until: string | undefined): ChangeInput {
  if (action === 'snooze' && !until) throw new InvalidInput('Choose a day.', { until: 'Choose a day.' });
  return { action, until };
}

/** Runs a decision. If it is refused, redirects back, where the page says why; in place, the error passes. */
async function redirectOnRefusal(req: Request, res: Response, returnPath: string, decide: () => Promise<void>) {
  try {
    await decide();
  } catch (err) {
    if (isHtmx(req) || !(err instanceof Conflict || err instanceof InvalidInput)) throw err;
    setFlash(req, { tone: 'warn', title: 'Nothing was changed', text: err.message });
    seeOther(req, res, returnPath);
  }
}

/** "No answer needed" and its undo, for every page that lists who waits. */
function routeWaiting(pages: IRouter, deps: InPlaceDeps): void {
  pages.post('/waiting/:dialogId', requireUser, async (req, res) => {
    const { back, ...change } = parseInput(changeForm, req.body);
    const returnPath = toOwnPath(back, req.get('host')) ?? '/promises?view=waiting';
    const dialogId = String(req.params.dialogId);
    if (!isUuid(dialogId)) throw new NotFound('conversation');
    const decided = { ...change, dialogId, here: returnPath };
    const deciding = changeWaiting(deps, { userId: currentUser(req).id, dialogId, ...change });
    if (isHtmx(req)) return showInPlace(deps, req, res, { ...decided, deciding });
    setFlash(req, await createFlash(decided, deciding));
    res.redirect(303, returnPath);
  });
}

type WaitingDecision = Pick<WaitingChange, 'action' | 'dialogId'> & { here: string };
type Deciding = Promise<{ name: string }>;

const describeWaitingChange = ({ action }: WaitingDecision, name: string) =>
  action === 'dismiss' ? `No answer needed: ${name}` : `Waiting again: ${name}`;

/** The message after a decision about a waiting question, or why nothing was changed. */
async function createFlash(decided: WaitingDecision, deciding: Deciding) {
  try {
    const title = describeWaitingChange(decided, (await deciding).name);
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
  { deciding, ...decided }: WaitingDecision & { deciding: Deciding },
) {
  const { here: returnPath, dialogId } = decided;
  const userId = currentUser(req).id;
  const query = isBoardPath(returnPath) ? readPromisesQuery(returnPath) : undefined;
  const [{ name }, config, board, page] = await Promise.all([
    deciding,
    getSettings(deps, { userId }),
    query && countBoard(deps, { userId, ...query, deciding }),
    query ? undefined : deps.countToday({ userId, here: returnPath, deciding }),
  ]);
  const { count } = board?.waiting ?? (await getWaiting(deps, { userId, config, limit: 0 }));
  const words = describeWaitingChange(decided, name);
  const isUndo = decided.action === 'undo';
  const keys = hasKeys(req);
  deps.render.fragment(res, 'shared/waiting/_changed', {
    here: returnPath,
    keys,
    count,
    page,
    done: isUndo ? undefined : { words, undo: `/waiting/${dialogId}`, fields: { action: 'undo' }, rows: [dialogId] },
    say: keys && !isUndo ? `${words}. Undo with Z` : words,
    ...(query && board && { board: presentCounts(board, query) }),
  });
}

/** Supplies the line that says how current the page is. */
type SyncLine = { syncLine(owner: { userId: string }): Promise<object> };

type InPlaceDeps = Queued & {
  render: Renderer;
  countNavigation(owner: { userId: string }): Promise<NavigationCounts>;
  /** The counts of Today, if `here` is its address; supplied by that page. */
  countToday(about: { userId: string; here: string; deciding: Promise<unknown> }): Promise<object | undefined>;
};

type Changing = { here: string; isUndo?: boolean; deciding: Promise<UserPromise[]> };

/** The answer to a decision made in place: the line with Undo, and out of band what the page and the navigation count. */
async function showChanged(deps: InPlaceDeps, req: Request, res: Response, decided: Changing) {
  const { here: returnPath, isUndo = false, deciding } = decided;
  const userId = currentUser(req).id;
  const query = isBoardPath(returnPath) ? readPromisesQuery(returnPath) : undefined;
  const [changed, today, counts, board, page] = await Promise.all([
    deciding,
    findUserToday(deps, { userId }),
    deciding.then(() => deps.countNavigation({ userId })),
    query && countBoard(deps, { userId, ...query, deciding }),
    query ? undefined : deps.countToday({ userId, here: returnPath, deciding }),
  ]);
  const described = describeChange({ changed, today });
  const keys = hasKeys(req);
  deps.render.fragment(res, 'shared/promise/_changed', {
    here: returnPath,
    counts,
    page,
    keys,
    done: isUndo ? undefined : described,
    say: `${described?.words ?? 'Nothing was changed'}${described && keys && !isUndo ? '. Undo with Z' : ''}`,
    ...(query && board && { board: presentCounts(board, query) }),
  });
}
