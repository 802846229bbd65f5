import { type Request, Router } from 'express';
import { hasKeys } from '../../http/browserChoices.ts';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { isHtmx } from '../../http/htmx.ts';
import { parseInput } from '../../http/input.ts';
import { ownPath } from '../../http/ownPath.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { Conflict, NotFound } from '../../lib/errors.ts';
import { isUuid } from '../../lib/uuid.ts';
import { getSettings } from '../settings/service.ts';
import { presentWaiting } from './present.ts';
import { changeForm } from './schema.ts';
import { changeWaiting, getWaiting } from './service.ts';

type Deps = { db: Db; clock: Clock; render: Renderer };

/** Rows of the list that a page shows; Today has fewer. */
export const SHOWN_ON_TODAY = 5;
export const SHOWN_AT_ONCE = 50;
const ALL = '/promises?view=waiting';

/** "No answer needed" and its undo, for every page that lists who waits. */
export function waitingPages(deps: Deps): Router {
  const pages = Router();

  pages.post('/waiting/:dialogId', requireUser, async (req, res) => {
    const { back, ...change } = parseInput(changeForm, req.body);
    const here = pageOf(req, back);
    const owner = { userId: currentUser(req).id };
    const dialogId = String(req.params.dialogId);
    if (!isUuid(dialogId)) throw new NotFound('conversation');
    const told = await decide(deps, { ...owner, dialogId, ...change });
    const undo = told.isChanged && change.action === 'dismiss' ? `/waiting/${dialogId}` : undefined;
    if (!isHtmx(req)) {
      setFlash(req, {
        tone: told.isChanged ? 'ok' : 'warn',
        title: told.words,
        ...(undo && { undo: { path: undo, back: here } }),
      });
      return res.redirect(303, here);
    }
    const isBoard = here.startsWith('/promises');
    const limit = isBoard ? SHOWN_AT_ONCE : SHOWN_ON_TODAY;
    const waiting = await getWaiting(deps, { ...owner, config: await getSettings(deps, owner), limit });
    deps.render.fragment(res, 'shared/waiting/_update', {
      waiting: presentWaiting(waiting, { here, more: isBoard ? undefined : ALL }),
      done: undo ? { words: told.words, undo, fields: { action: 'undo' } } : undefined,
      back: here,
      say: told.words,
      keys: hasKeys(req),
    });
  });

  return pages;
}

/** What is to be said. Undone already is nothing to stop at. Throws NotFound. */
async function decide(deps: Deps, about: Parameters<typeof changeWaiting>[1]) {
  try {
    const { name } = await changeWaiting(deps, about);
    const words = about.action === 'dismiss' ? `No answer needed: ${name}` : `Waiting again: ${name}`;
    return { words, isChanged: true };
  } catch (err) {
    if (!(err instanceof Conflict)) throw err;
    return { words: err.message, isChanged: false };
  }
}

/** What the page shows may have changed since the form was written: htmx knows. */
function pageOf(req: Request, back: string | undefined): string {
  const host = req.get('host');
  const now = isHtmx(req) ? ownPath(req.get('hx-current-url'), host) : undefined;
  return now ?? ownPath(back, host) ?? ALL;
}
