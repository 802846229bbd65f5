import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { createCount } from '../lib/createCount.ts';
import type { Db } from '../lib/db.ts';
import { TooManyRequests, WrongToken } from '../lib/errors.ts';
import { findCurrentSession, findTokenUser } from './currentUser.ts';

/** The general limit, per user (per network without a session), counted in memory per process. Tokens have their own. */
export function apiRateLimit({ perMinute }: { perMinute: number }): RequestHandler {
  return minuteLimit({ name: 'api', perMinute, skip: req => findTokenUser(req) !== undefined });
}

/** For all tokens of one user together: a program that runs away takes nothing from its person's pages. */
export function tokenRateLimit({ perMinute }: { perMinute: number }): RequestHandler {
  return minuteLimit({ name: 'tokens', perMinute, skip: req => findTokenUser(req) === undefined });
}

/** The same for forms that change something, and for what costs as much to read; reading any other page is free. */
export function pageRateLimit({
  perMinute,
  isCostly,
}: {
  perMinute: number;
  isCostly: (req: Request) => boolean;
}): RequestHandler {
  return minuteLimit({ name: 'pages', perMinute, skip: req => READING.has(req.method) && !isCostly(req) });
}

/**
 * For tokens that turned out to be none, by the network they come from. Others may use right ones behind the same address,
 * as all users of a hosted assistant do.
 */
export function limitWrongTokens({ perMinute }: { perMinute: number }): ErrorRequestHandler {
  const limit = minuteLimit({ name: 'wrong tokens', perMinute, standardHeaders: false });
  return (err, req, res, next) => {
    if (err instanceof WrongToken) limit(req, res, tooMany => next(tooMany ?? err));
    else next(err);
  };
}

/** For each feed that calendars read, and for addresses that are none by network: calendar services read for many people. */
export function calendarRateLimit({
  perMinute,
  findUserId,
}: {
  perMinute: number;
  findUserId: (req: Request) => string | undefined;
}): RequestHandler {
  return minuteLimit({ name: 'calendar', perMinute, keyGenerator: req => findUserId(req) ?? networkOf(req) });
}

/** For the addresses that a key opens: their counts are expensive, and a key can be guessed. */
export function operatorRateLimit({ perMinute }: { perMinute: number }): RequestHandler {
  return minuteLimit({ name: 'operator', perMinute });
}

/** Where a request comes from: an IPv4 address or an IPv6 network, behind a proxy only as far as TRUST_PROXY says. */
export function networkOf(req: Request): string {
  return ipKeyGenerator(req.ip ?? '');
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

type MinuteLimit = { name: string; perMinute: number; skip?: (req: Request) => boolean } & Partial<Options>;

function minuteLimit({ name, perMinute, skip = () => false, ...more }: MinuteLimit): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: name,
    skip,
    keyGenerator: req => (findTokenUser(req) ?? findCurrentSession(req)?.user)?.id ?? networkOf(req),
    handler: (_req: Request, res: Response, next: NextFunction) => {
      next(new TooManyRequests(Number(res.getHeader('Retry-After') ?? 60)));
    },
    ...more,
  });
}

/** Counts one try under `key`. Throws TooManyRequests when the tries are used up. */
export type Limit = (key: string) => Promise<void>;

/** A limit kept in Postgres and measured by its clock, so that it holds across processes. */
export function createLimit(db: Db, options: { name: string; tries: number; seconds: number }): Limit {
  const count = createCount(db, options);
  return async key => {
    const { tries, secondsLeft } = await count(key);
    if (tries > options.tries) throw new TooManyRequests(secondsLeft);
  };
}
