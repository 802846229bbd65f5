import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from '../lib/db.ts';
import { TooManyRequests } from '../lib/errors.ts';
import { findCurrentSession } from './currentUser.ts';

/** The general limit, per user (per address when nobody is signed in), counted in memory per process. */
export function apiRateLimit(options: { perMinute: number }): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: options.perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: 'api',
    keyGenerator: req => findCurrentSession(req)?.user.id ?? ipKeyGenerator(req.ip ?? ''),
    handler: (_req: Request, res: Response, next: NextFunction) => {
      next(new TooManyRequests(Number(res.getHeader('Retry-After') ?? 60)));
    },
  });
}

/** Counts one try under `key`. Throws TooManyRequests when the tries are used up. */
export type Limit = (key: string) => Promise<void>;

/** A limit kept in Postgres, so that it holds over several processes. */
export function createLimit(db: Db, options: { name: string; tries: number; seconds: number }): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: db,
    storeType: 'knex',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: options.name,
    points: options.tries,
    duration: options.seconds,
  });
  return async key => {
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new TooManyRequests(refusal.msBeforeNext / 1000);
    }
  };
}
