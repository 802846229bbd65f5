import { type Request, type RequestHandler, Router } from 'express';
import { minuteLimit } from '../../../http/rateLimit.ts';
import type { Timed } from '../../../lib/clock.ts';
import { NotFound } from '../../../lib/errors.ts';
import { toCalendar } from './present.ts';
import type { OwnedFeed } from './repo.ts';
import { findFeedByToken, readFeed } from './service.ts';

type Deps = Timed & { ownerEmail: string | undefined; appUrl: string };

/** For calendars, which have neither a session nor a header of ours: the secret is in the address. */
export function calendarApi(deps: Deps, { perMinute }: { perMinute: number }): Router {
  const api = Router();

  const feeds = new WeakMap<Request, OwnedFeed>();
  const limit = minuteLimit({ name: 'calendar', perMinute, findHolder: req => feeds.get(req)?.userId });

  const findFeed: RequestHandler = async (req, _res, next) => {
    const feed = await findFeedByToken(deps, { secret: String(req.params.secret) });
    if (feed) feeds.set(req, feed);
    next();
  };

  api.get('/calendar/:secret.ics', keepPrivate, findFeed, limit, async (req, res) => {
    const feed = feeds.get(req);
    if (!feed) throw new NotFound('calendar');
    const calendar = await readFeed(deps, feed);
    res.type('text/calendar').send(toCalendar(calendar, { appUrl: deps.appUrl }));
  });

  return api;
}

const keepPrivate: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' });
  next();
};
