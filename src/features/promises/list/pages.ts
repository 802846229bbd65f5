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
import { toPromiseTitle } from '../../digests/quoteSource.ts';
import type { ChangeInput, UserPromise } from '../schema.ts';
import { changeMany, changePromise, findUserMoment } from '../service.ts';
import { changeForm } from '../waiting/schema.ts';
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
      const changed = await undoBulk(deps, { ...owner, at });
      if (isHtmx(req)) return showChanged(deps, req, res, { here: returnPath, isUndo: true, changed });
      setFlash(req, { tone: 'ok', title: 'Undone', text: formatQuantity(changed.length, 'promise.', 'promises.') });
      return seeOther(req, res, returnPath);
    }
    await redirectOnRefusal(req, res, returnPath, async () => {
      if (ids.length === 0) throw new InvalidInput('No promise was selected.', { ids: 'Select at least one.' });
      const change = toChangeInput(action, until ?? day);
      const { promises, refused } = await changeMany(deps, { ...owner, ids, change });
      if (isHtmx(req)) return showChanged(deps, req, res, { here: returnPath, changed: promises });
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
      const promise = await changePromise(deps, request);
      const isUndo = action === 'undo' || action === 'reopen';
      if (isHtmx(req)) return showChanged(deps, req, res, { here: returnPath, isUndo, changed: [promise] });
      if (action !== 'undo' && showsDecision(returnPath))
        return seeOther(req, res, withQuery(returnPath, 'changed', promise.id));
      setFlash(req, { tone: 'ok', title: flashTitle(action, promise.state), text: toPromiseTitle(promise) });
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
    const here = toOwnPath(back, req.get('host')) ?? '/promises?view=waiting';
    const userId = currentUser(req).id;
    const dialogId = String(req.params.dialogId);
    if (!isUuid(dialogId)) throw new NotFound('conversation');
    await redirectOnRefusal(req, res, here, async () => {
      const { name } = await changeWaiting(deps, { userId, dialogId, ...change });
      const isUndo = change.action === 'undo';
      const words = isUndo ? `Waiting again: ${name}` : `No answer needed: ${name}`;
      const undo = `/waiting/${dialogId}`;
      if (!isHtmx(req)) {
        setFlash(req, { tone: 'ok', title: words, ...(!isUndo && { undo: { path: undo, back: here } }) });
        return seeOther(req, res, here);
      }
      const { waiting, ...counts } = await countPage(deps, userId, here);
      const config = await getSettings(deps, { userId });
      const { count } = waiting ?? (await getWaiting(deps, { userId, config, limit: 0 }));
      const keys = hasKeys(req);
      const done = isUndo ? undefined : { words, undo, fields: { action: 'undo' }, rows: [dialogId] };
      const say = keys && !isUndo ? `${words}. Undo with Z` : words;
      deps.render.fragment(res, 'shared/waiting/_changed', { here, keys, count, done, say, ...counts });
    });
  });
}

/** Supplies the line that says how current the page is. */
type SyncLine = { syncLine(owner: { userId: string }): Promise<object> };

type InPlaceDeps = Queued & {
  render: Renderer;
  countNavigation(owner: { userId: string }): Promise<NavigationCounts>;
  /** The counts of Today, if `here` is its address; supplied by that page. */
  countToday(about: { userId: string; here: string }): Promise<object | undefined>;
};

/** After a decision made in place: the counts of the page of promises, or of Today. */
async function countPage(deps: InPlaceDeps, userId: string, here: string) {
  if (!isBoardPath(here)) return { page: await deps.countToday({ userId, here }) };
  const query = readPromisesQuery(here);
  const counts = await countBoard(deps, { userId, ...query });
  return { waiting: counts.waiting, board: presentCounts(counts, query) };
}

type Changed = { here: string; isUndo?: boolean; changed: UserPromise[] };

/** The answer to a decision made in place: the line with Undo, and out of band what the page and the navigation count. */
async function showChanged(deps: InPlaceDeps, req: Request, res: Response, { here, isUndo = false, changed }: Changed) {
  const userId = currentUser(req).id;
  const [{ today }, navigation, { page, board }] = await Promise.all([
    findUserMoment(deps, { userId }),
    deps.countNavigation({ userId }),
    countPage(deps, userId, here),
  ]);
  const described = describeChange({ changed, today });
  const keys = hasKeys(req);
  const undoHint = described && keys && !isUndo ? '. Undo with Z' : '';
  const say = `${described?.words ?? 'Nothing was changed'}${undoHint}`;
  const done = isUndo ? undefined : described;
  deps.render.fragment(res, 'shared/promise/_changed', { here, counts: navigation, page, keys, done, say, board });
}
