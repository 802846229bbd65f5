import { parseCookie } from 'cookie';
import type { Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import type { Db } from '../lib/db.ts';
import { AppError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { findCurrentSession } from './request.ts';
import { postgresStore, redisStore, SESSION_LIFETIME_SECONDS } from './sessionStore.ts';

const NAME = 'forenoon.sid';
/** The `__Host-` prefix limits the cookie to this host over https: no subdomain can plant one. */
const HTTPS_COOKIE_NAME = `__Host-${NAME}`;

declare module 'express-session' {
  interface SessionData {
    /** The user whose data the session holds; unset as long as it holds none. */
    userId?: string;
  }
}

export type ShortLivedSessions = {
  middleware: RequestHandler;
  /** Like `middleware`, but reading requests start no session: `req.session` is undefined without one. */
  forWrites: RequestHandler;
  /** Erases this user's data in all browser sessions. */
  forgetUser(userId: string): Promise<void>;
  close(): Promise<void>;
};

type Deps = { config: { appUrl: string; redisUrl: string | undefined; sessionSecret: string }; db: Db; log: Log };

/**
 * express-session holds what lives for minutes: the steps of a sign-in at the messenger, flash messages. It does not
 * know who is signed in. It stores in Redis when there is one, else in Postgres. While the store does not answer, a
 * request gets an empty session that is kept nowhere.
 * Throws an error that names REDIS_URL when Redis refuses the connection.
 * @param redisPatienceMs how long to wait for Redis at the start; after that, pages go on without it
 */
export async function createShortLivedSessions(
  { config, db, log }: Deps,
  { redisPatienceMs: patienceMs = 3_000 } = {},
): Promise<ShortLivedSessions> {
  const { redisUrl, appUrl, sessionSecret: secret } = config;
  const https = appUrl.startsWith('https:');
  const name = https ? HTTPS_COOKIE_NAME : NAME;
  const { store, forgetUser, close } = redisUrl ? await redisStore(redisUrl, log, patienceMs) : postgresStore(db, log);
  const stored = session({
    name,
    secret,
    store,
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax', secure: https, path: '/', maxAge: SESSION_LIFETIME_SECONDS * 1000 },
  });
  const middleware: RequestHandler = (req, res, next) => {
    // The library sends no secure cookie where it sees plain http, as behind a proxy that is not trusted.
    if (https) Object.defineProperty(req, 'secure', { value: true, configurable: true });
    stored(req, res, (err?: unknown) => {
      saveBeforeRedirect(res);
      if (!err || req.session) return next(err);
      log.warn({ err }, 'browser session not read');
      giveEmptySession(req, store);
      next();
    });
  };
  const forWrites: RequestHandler = (req, res, next) => {
    const onlyLooks = req.method === 'GET' || req.method === 'HEAD';
    if (onlyLooks && !parseCookie(req.headers.cookie ?? '')[name]) return next();
    middleware(req, res, next);
  };
  return { middleware, forWrites, forgetUser, close };
}

/**
 * express-session sends all but the last byte of a body while it is still storing: a browser would follow a redirect
 * too early and find the previous step. A redirect without a body is sent once everything is stored.
 */
function saveBeforeRedirect(res: Response): void {
  const end = res.end.bind(res) as (...args: unknown[]) => Response;
  res.end = (...args: unknown[]) => {
    if (res.statusCode < 300 || res.statusCode >= 400) return end(...args);
    res.removeHeader('Content-Type');
    res.removeHeader('Content-Length');
    return end();
  };
}

const unreadSessions = new WeakSet<Request>();

/** Gives the request an empty session that is never saved: the stored one may be readable again a moment later. */
function giveEmptySession(req: Request, store: session.Store): void {
  unreadSessions.add(req);
  const empty = store.createSession(req, { cookie: { originalMaxAge: SESSION_LIFETIME_SECONDS * 1000 } });
  const keepNothing = function (this: session.Session, done?: (err?: unknown) => void) {
    done?.();
    return this;
  };
  Object.defineProperty(empty, 'save', { value: keepNothing });
}

export function isSessionUnread(req: Request): boolean {
  return unreadSessions.has(req);
}

/**
 * Call this before the first of several steps that are kept in the browser session: none may begin while they would be
 * forgotten. Throws AppError `STEPS_NOT_KEPT`.
 */
export async function ensureStepsAreKept(req: Request): Promise<void> {
  const isReadable = await new Promise(resolve => req.sessionStore.get('no-session', err => resolve(!err)));
  if (!isReadable || isSessionUnread(req)) throw new AppError('STEPS_NOT_KEPT', NOT_KEPT);
}

const NOT_KEPT = 'The steps of connecting can’t be kept right now, so none was begun. Try again in a minute.';

/** The request's browser session, marked with the id of the signed-in user, so that it can be erased with them. */
export function claimBrowserSession(req: Request): Request['session'] {
  const user = findCurrentSession(req)?.user;
  if (user) req.session.userId = user.id;
  return req.session;
}

/** Ends this browser's session, so that the next user doesn't find what the last began. The stored one expires. */
export function forgetBrowserSession(res: Response): void {
  const sent = parseCookie(res.req.headers.cookie ?? '');
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax' } as const;
  if (NAME in sent) res.clearCookie(NAME, cookie);
  if (HTTPS_COOKIE_NAME in sent) res.clearCookie(HTTPS_COOKIE_NAME, { ...cookie, secure: true });
}
