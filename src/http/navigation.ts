import type { NextFunction, Request, Response } from 'express';
import type { Log } from '../lib/log.ts';
import { once } from '../lib/once.ts';
import { findCurrentSession, isHtmx } from './request.ts';

/**
 * The numbers shown in the navigation of every page: what is due on Today, the user's own open promises, matches to
 * review. The first two are exact below 1,000.
 */
export type NavigationCounts = { due: number; open: number; toReview: number };

const countersByRequest = new WeakMap<Request, () => Promise<NavigationCounts | undefined>>();

/**
 * Counts for every page of a signed-in user, while the page reads what it shows; after a form only if a page follows.
 * Fragments bring their own counts. Numbers that can't be read are left out.
 */
export function attachNavigationCounts(deps: {
  log: Log;
  countNavigation(user: { userId: string }): Promise<NavigationCounts>;
}) {
  return (req: Request, _res: Response, next: NextFunction) => {
    const session = findCurrentSession(req);
    if (session && !isHtmx(req)) {
      const count = once(() =>
        deps.countNavigation({ userId: session.user.id }).catch(err => {
          deps.log.warn({ err }, 'navigation not counted');
          return undefined;
        }),
      );
      countersByRequest.set(req, count);
      if (req.method === 'GET') void count();
    }
    next();
  };
}

/** The counts of the request's user; undefined without a user, for fragments, or if counting failed. Never throws. */
export async function navigationCounts(req: Request): Promise<NavigationCounts | undefined> {
  return countersByRequest.get(req)?.();
}
