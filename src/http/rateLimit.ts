import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
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
  isCostly,
  ...limit
}: Secrets & { perMinute: number; isCostly: (req: Request) => boolean }): RequestHandler {
  return minuteLimit({ name: 'pages', skip: req => READING.has(req.method) && !isCostly(req), ...limit });
}

/**
 * For addresses that a secret opens: wrong ones are counted by network and take nothing from right ones behind the same
 * address, as calendar services and mail services ask for many people.
 */
export function secretRateLimit(limit: Secrets & { name: string; perMinute: number }): RequestHandler {
  return minuteLimit(limit);
}

/** Counts one request. Throws TooManyRequests. */
export type Counting = (req: Request, res: Response) => Promise<void>;

/** Node's own `promisify` warns of a handler that is async. */
export function countingBy(limit: RequestHandler): Counting {
  return (req, res) => new Promise((resolve, reject) => limit(req, res, err => (err ? reject(err) : resolve())));
}

/** By network, for tokens, links and signatures that turned out to be wrong: right ones aren't counted. */
export function failureRateLimit({ perMinute }: { perMinute: number }): Counting {
  const limit = { name: 'failures', perMinute, standardHeaders: false, keyGenerator: networkOf } as const;
  return countingBy(minuteLimit(limit));
}

export function limitWrongTokens(limitFailures: Counting): ErrorRequestHandler {
  return async (err, req, res, next) => {
    if (err instanceof WrongToken) await limitFailures(req, res);
    next(err);
  };
}

/** Where a request comes from: an IPv4 address or an IPv6 network, behind a proxy only as far as TRUST_PROXY says. */
export function networkOf(req: Request): string {
  return ipKeyGenerator(req.ip ?? '');
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whose the secret in a request is, if it is right: their requests are counted for them. */
type Secrets = { findHolder?: (req: Request) => string | undefined | Promise<string | undefined> };

type MinuteLimit = Secrets & { name: string; perMinute: number } & Partial<Options>;

function minuteLimit({ name, perMinute, findHolder, ...more }: MinuteLimit): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: name,
    keyGenerator: async req =>
      (await findHolder?.(req)) ?? (findTokenUser(req) ?? findCurrentSession(req)?.user)?.id ?? networkOf(req),
    handler: (_req: Request, res: Response, next: NextFunction) => {
      next(new TooManyRequests(Number(res.getHeader('Retry-After') ?? 60)));
    },
    ...more,
  });
}

/** Counts one try under `key`. Throws TooManyRequests when the tries are used up. */
export type Limit = (key: string) => Promise<void>;

const SWEEP_EVERY_MS = 300_000;
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const COUNT = `
  insert into rate_limits as counted (key, points, expire) values (:key, 1, ${NOW} + :milliseconds)
  on conflict (key) do update set
    points = case when counted.expire > ${NOW} then counted.points + 1 else 1 end,
    expire = case when counted.expire > ${NOW} then counted.expire else ${NOW} + :milliseconds end
  returning points, greatest(expire - ${NOW}, 0)::int as left`;
const SWEEP = `delete from rate_limits where expire < ${NOW} - 3600000`;

/** A limit kept in Postgres, in windows measured by its clock, so that it holds across processes. */
export function createLimit(db: Db, options: { name: string; tries: number; seconds: number }): Limit {
  const { name, tries, seconds } = options;
  let sweptAt = performance.now();
  return async key => {
    if (performance.now() - sweptAt > SWEEP_EVERY_MS) {
      sweptAt = performance.now();
      await db.raw(SWEEP);
    }
    const counted = { key: `${name}:${key}`, milliseconds: seconds * 1000 };
    const { rows } = await db.raw<{ rows: [{ points: number; left: number }] }>(COUNT, counted);
    if (rows[0].points > tries) throw new TooManyRequests(rows[0].left / 1000);
  };
}
