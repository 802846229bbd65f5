import { type RequestHandler, Router } from 'express';
import { calendarRateLimit } from '../../../http/rateLimit.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../lib/db.ts';
import { toCalendar } from './present.ts';
import { readFeed } from './service.ts';

type Deps = { db: Db; clock: Clock; ownerEmail: string | undefined; appUrl: string };

/** For calendars, which have neither a session nor a header of ours: the secret is in the address. */
export function calendarApi(deps: Deps, { perMinute }: { perMinute: number }): Router {
  const api = Router();

  api.get('/calendar/:secret.ics', keepPrivate, calendarRateLimit({ perMinute }), async (req, res) => {
    const calendar = await readFeed(deps, { secret: String(req.params.secret) });
    res.type('text/calendar').send(toCalendar(calendar, { appUrl: deps.appUrl }));
  });

  return api;
}

const keepPrivate: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' });
  next();
};
