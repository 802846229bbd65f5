import type { IRouter, Response } from 'express';
import type { Renderer } from '../../http/render.ts';
import { currentUser, isHtmx, requireUser } from '../../http/request.ts';
import type { Queued } from '../../lib/queue.ts';
import { formatQuantity } from '../../lib/words.ts';
import { hasWritten } from '../digests/repo.ts';
import { getSyncPanel } from './currentPanel.ts';
import { beginToFollow, continueFollow, pollPath, presentLine, type SyncPanel } from './present.ts';
import { findLatestJob } from './repo.ts';
import { type Follow, followQuery } from './schema.ts';
import { triggerSync } from './service.ts';

type Deps = Queued & { render: Renderer };

export function syncPages(pages: IRouter, deps: Deps): void {
  pages.post('/sync', requireUser, async (req, res) => {
    await triggerSync(deps, { userId: currentUser(req).id });
    if (!isHtmx(req)) return res.redirect(303, '/today');
    const panel = await getSyncPanel(deps, currentUser(req).id);
    const follow = { ...beginToFollow(panel), seen: 0, announced: 0 };
    sendUpdate(deps, res, panel, { pollPath: pollPath(follow), takesFocus: true, say: 'Sync started' });
  });

  pages.get('/sync', requireUser, async (req, res) => {
    if (!isHtmx(req)) return res.redirect(303, '/today#sync');
    const before = followQuery.parse(req.query);
    const { id: userId } = currentUser(req);
    // Polled by every open page, so it is one query.
    if (before.isIdle && ((await findLatestJob(deps.db, userId))?.id ?? '') === before.job) return res.status(204).end();
    const panel = await getSyncPanel(deps, userId);
    const follow = continueFollow(panel, before);
    // The page may be older than the last reading.
    const asOf = panel.asOf || `${panel.heading}.`;
    if (before.isLine) return deps.render.fragment(res, 'shared/sync/_asOf', presentLine({ ...panel, asOf }, follow));
    const isOver = panel.state !== 'running';
    // An empty page may be replaced: nothing moves under the reader.
    if (before.fromEmpty && (isOver || panel.newDigests > 0 || (await hasWritten(deps.db, { userId }))))
      return res.set('HX-Refresh', 'true').end();
    sendUpdate(deps, res, panel, {
      pollPath: pollPath(follow),
      say: sayWords(panel, before),
      news: findNews(follow, before),
    });
  });
}

/** Screen readers announce the beginning and the end. */
function sayWords({ state, sentence }: SyncPanel, before: Follow): string | undefined {
  if (state !== 'running') return `Sync finished. ${sentence}`;
  return before.isIdle ? 'Sync started' : undefined;
}

/** The panel; out of band the phone's chip, the announcement for screen readers and the bar for new digests. */
function sendUpdate(deps: Deps, res: Response, panel: SyncPanel, update: object) {
  deps.render.fragment(res, 'shared/sync/_update', { ...panel, ...update });
}

/** Offers the new digests: a sync never moves the list under the reader. Undefined if there are none or none newer. */
function findNews(follow: Follow, before: Follow) {
  const count = follow.announced - follow.seen;
  if (count <= 0 || (before.job === follow.job && before.announced === follow.announced)) return undefined;
  const words = `${formatQuantity(count, 'new digest', 'new digests')}: Show`;
  return { words, href: `/today?new=${encodeURIComponent(follow.job)}` };
}
