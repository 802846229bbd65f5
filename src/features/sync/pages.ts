import { type Request, type Response, Router } from 'express';
import { currentUser, requireUser } from '../../http/currentUser.ts';
import { isHtmx } from '../../http/htmx.ts';
import type { Renderer } from '../../http/render.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../../lib/db.ts';
import type { Queue } from '../../lib/queue.ts';
import { countOf } from '../../lib/words.ts';
import { canBeRead } from '../messenger/rules.ts';
import { listAccounts } from '../messenger/service.ts';
import { getSettings } from '../settings/service.ts';
import { nextSyncAt } from './dailySyncs.ts';
import { presentSync, type SyncPanel } from './presentSync.ts';
import { latestJob, triggerSync } from './service.ts';

type Deps = { db: Db; queue: Queue; clock: Clock; render: Renderer };

export function syncPages(deps: Deps): Router {
  const pages = Router();

  pages.post('/sync', requireUser, async (req, res) => {
    await triggerSync(deps, { userId: currentUser(req).id });
    if (!isHtmx(req)) return res.redirect(303, '/today');
    const panel = await currentPanel(deps, req);
    sendUpdate(deps, res, panel, { takesFocus: true, say: 'Sync started' });
  });

  pages.get('/sync', requireUser, async (req, res) => {
    if (!isHtmx(req)) return res.redirect(303, '/today#sync');
    const panel = await currentPanel(deps, req);
    const fromEmpty = req.query.from === 'empty';
    if (panel.state === 'running') return sendUpdate(deps, res, panel, { fromEmpty });
    // There was nothing on the page yet that could move under the reader.
    if (fromEmpty) return res.set('HX-Refresh', 'true').end();
    sendUpdate(deps, res, panel, { say: `Sync finished. ${panel.sentence}`, news: newsOf(panel) });
  });

  return pages;
}

async function currentPanel(deps: Deps, req: Request): Promise<SyncPanel> {
  const userId = currentUser(req).id;
  const [job, accounts, { timezone }, nextAt] = await Promise.all([
    latestJob(deps, { userId }),
    listAccounts(deps, { userId }),
    getSettings(deps, { userId }),
    nextSyncAt(deps, { userId }),
  ]);
  const now = deps.clock.now();
  const canStart = accounts.some(account => canBeRead(account, now));
  return presentSync(job, canStart, { now, timezone, nextAt });
}

/** The panel, and out of band the chip of the phone's top bar, what a screen reader is told, the bar for new digests. */
function sendUpdate(deps: Deps, res: Response, panel: SyncPanel, beside: object) {
  deps.render.fragment(res, 'sync/_update', { ...panel, ...beside });
}

/** A finished sync never moves the list under the reader: it offers what is new. */
function newsOf({ newDigests }: SyncPanel) {
  if (newDigests === 0) return undefined;
  const title = `${countOf(newDigests, 'digest is', 'digests are')} ready`;
  return { tone: 'ok', title, link: { href: '/today', label: 'Show', primary: true } };
}
