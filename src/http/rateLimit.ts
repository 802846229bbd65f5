import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { TooManyRequests, WrongToken } from '../lib/errors.ts';
import { findCurrentSession, findTokenUser } from './request.ts';

/** The general limit, per user (per network without a session), counted in memory per process. Tokens have their own. */
export function apiRateLimit({ perMinute }: { perMinute: number }): RequestHandler {
  return minuteLimit({ name: 'api', perMinute, skip: req => findTokenUser(req) !== undefined });
}

/** Per user over all tokens: a runaway program doesn't block the user's pages. */
export function tokenRateLimit({ perMinute }: { perMinute: number }): RequestHandler {
  return minuteLimit({ name: 'tokens', perMinute, skip: req => findTokenUser(req) === undefined });
}

type PageLimit = Secrets & { perMinute: number; isCostly: (req: Request) => boolean };

/** For forms that change something, and for pages that cost as much to read; reading any other page is free. */
export function pageRateLimit({ isCostly, ...limit }: PageLimit): RequestHandler {
  return minuteLimit({ name: 'pages', skip: req => READING.has(req.method) && !isCostly(req), ...limit });
}

/** Counts one request. Throws TooManyRequests. */
export type Counting = (req: Request, res: Response) => Promise<void>;

/** Turns a rate limiter into a function that resolves once the request is counted; `promisify` warns of async ones. */
export function countingBy(limit: RequestHandler): Counting {
  return (req, res) => new Promise((resolve, reject) => limit(req, res, err => (err ? reject(err) : resolve())));
}

/** Limits failed tokens, links and signatures by network; valid ones aren't counted. */
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

/** A client's IPv4 address or IPv6 network; proxies count only as TRUST_PROXY allows. */
export function networkOf(req: Request): string {
  return ipKeyGenerator(req.ip ?? '');
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * `findHolder`: for addresses that a secret opens, whose secret a request has; undefined if it is wrong. Requests are counted
 * for each holder, and those with a wrong secret for their network: a calendar service asks for many people from one address,
 * who lose nothing by others' wrong secrets.
 */
type Secrets = { findHolder?: (req: Request) => string | undefined | Promise<string | undefined> };

type MinuteLimit = Secrets & { name: string; perMinute: number } & Partial<Options>;

/** Limits requests a minute, by holder, else user, else network. */
export function minuteLimit({ name, perMinute, findHolder, ...more }: MinuteLimit): RequestHandler {
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
