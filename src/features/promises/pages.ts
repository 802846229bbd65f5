import { Router } from 'express';
import { z } from 'zod';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { setFlash } from '../../http/flash.ts';
import { parseInput } from '../../http/input.ts';
import { ownPath } from '../../http/ownPath.ts';
import { seeOther } from '../../http/seeOther.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import { changePromise } from './service.ts';

/** What a page offers where messages closed a promise, or may have. */
const decision = z.object({
  action: z.enum(['done', 'undo']),
  back: z.string().max(2000).optional().catch(undefined),
});

export function promisePages(deps: { db: Db; clock: Clock }): Router {
  const pages = Router();

  pages.post('/promises/:id', requireUser, async (req, res) => {
    const { action, back } = parseInput(decision, req.body);
    const asked = { userId: currentUser(req).id, promiseId: String(req.params.id), change: { action } };
    const { words } = await changePromise(deps, asked);
    setFlash(req, { tone: 'ok', title: action === 'done' ? 'Kept' : 'Still open', text: words });
    seeOther(req, res, ownPath(back, req.get('host')) ?? '/today');
  });

  return pages;
}
