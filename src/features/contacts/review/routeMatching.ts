import { Router } from 'express';
import { z } from 'zod';
import { currentUser, requireUser } from '../../../http/currentUser.ts';
import { isHtmx } from '../../../http/htmx.ts';
import { countField } from '../../../lib/fields.ts';
import { countOf } from '../../../lib/words.ts';
import { findMatching } from '../matching/repo.ts';
import { presentMatching } from './present.ts';
import { countToReview } from './service.ts';
import type { ReviewPagesDeps } from './showReview.ts';

/** What the page shows already. */
const followed = z.object({
  waiting: countField,
  shows: z.enum(['case', 'none']).catch('case'),
});

/** The progress of the matching that began when the CRM was connected; the contacts page polls it every few seconds. */
export function routeMatching(deps: Pick<ReviewPagesDeps, 'db' | 'render'>): Router {
  const pages = Router();

  pages.get('/contacts/matching', requireUser, async (req, res) => {
    if (!isHtmx(req)) return res.redirect(303, '/contacts');
    const { id: userId } = currentUser(req);
    const before = followed.parse(req.query);
    const now = await findMatching(deps.db, userId);
    if (now.isRunning && now.waiting === before.waiting) return res.status(204).end();
    // Nothing is on the page that could move under the reader.
    if (before.shows === 'none' && now.waiting === 0) return res.set('HX-Refresh', 'true').end();
    const toReview = await countToReview(deps, { userId });
    deps.render.fragment(res, 'review/_matching', {
      matching: presentMatching(now, { hasCase: before.shows === 'case' }),
      isOver: now.waiting === 0,
      say: `${countOf(toReview, 'match', 'matches')} to review.`,
    });
  });

  return pages;
}
