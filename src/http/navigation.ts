import type { NextFunction, Request, Response } from 'express';
import { findCurrentSession } from './currentUser.ts';
import { isHtmx } from './htmx.ts';

/** The numbers that stand in the navigation of every page. */
export type NavigationCounts = { toReview: number };

const counted = new WeakMap<Request, NavigationCounts>();

/** Counts for every page of somebody signed in; parts of pages bring their own. */
export function countNavigation(deps: { count(user: { userId: string }): Promise<NavigationCounts> }) {
  return async (req: Request, _res: Response, next: NextFunction) => {
    const session = findCurrentSession(req);
    if (session && !isHtmx(req)) counted.set(req, await deps.count({ userId: session.user.id }));
    next();
  };
}

export function navigationCounts(req: Request): NavigationCounts | undefined {
  return counted.get(req);
}
