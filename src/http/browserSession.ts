import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import { parseCookie } from 'cookie';
import type { Request, RequestHandler, Response } from 'express';
import session from 'express-session';
import pg from 'pg';
import { createClient, ErrorReply } from 'redis';
import { connectionSettings } from '../lib/dbPatience.ts';
import type { Log } from '../lib/log.ts';
import { countOf } from '../lib/words.ts';
import { findCurrentSession } from './currentUser.ts';

const LIVES_SECONDS = 3600;
const COOKIE = 'forenoon.sid';

declare module 'express-session' {
  interface SessionData {
    /** Whose browser it is, as far as something was kept for them. */
    userId?: string;
  }
}

export type BrowserSessions = {
  middleware: RequestHandler;
  /** The same, but who only looks and has none gets none: `req.session` is undefined then. */
  ofActing: RequestHandler;
  /** Erases what is kept for this person in any browser. */
  forgetUser(userId: string): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  redisUrl: string | undefined;
  databaseUrl: string;
  secret: string;
  log: Log;
  /** Milliseconds in which Redis must answer at the start. Once it did, it may be gone as long as it likes. */
  redisPatienceMs?: number;
};

/**
 * express-session holds what lives minutes: the steps of a sign-in at the messenger, flash messages.
 * Who is signed in is not its business. Redis when there is one, else Postgres. It lives an hour from its last change,
 * as its cookie does: being looked at does not lengthen it, and costs no write.
 * Throws an error that names REDIS_URL when it is set and no Redis answers there.
 */
export async function createBrowserSessions(options: Options): Promise<BrowserSessions> {
  const { store, forgetUser, close } = options.redisUrl
    ? await redisStore(options.redisUrl, options)
    : postgresStore(options.databaseUrl, options.log);
  const middleware = session({
    name: COOKIE,
    secret: options.secret,
    store,
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', maxAge: LIVES_SECONDS * 1000 },
  });
  const ofActing: RequestHandler = (req, res, next) => {
    const onlyLooks = req.method === 'GET' || req.method === 'HEAD';
    if (onlyLooks && !parseCookie(req.headers.cookie ?? '')[COOKIE]) return next();
    middleware(req, res, next);
  };
  return { middleware, ofActing, forgetUser, close };
}

/** The browser session, to keep something of the person who is signed in. */
export function ownBrowserSession(req: Request): Request['session'] {
  const user = findCurrentSession(req)?.user;
  if (user) req.session.userId = user.id;
  return req.session;
}

/** Whoever signs in next in this browser must not find what the last one began. What is stored runs out by itself. */
export function forgetBrowserSession(res: Response): void {
  res.clearCookie(COOKIE, { path: '/', httpOnly: true, sameSite: 'lax' });
}

async function redisStore(url: string, { log, redisPatienceMs = 10_000 }: Options) {
  // Without it a page waits five seconds for a Redis that is gone, and then fails all the same.
  const client = createClient({ url, disableOfflineQueue: true });
  client.on('error', err => log.error({ err }, 'redis error'));
  await connectInTime(client, redisPatienceMs);
  const store = new RedisStore({ client, prefix: 'forenoon:', ttl: LIVES_SECONDS, disableTouch: true });
  const forgetUser = async (userId: string) => {
    const all: { id: string }[] = await store.all();
    for (const kept of all) if (JSON.stringify(kept).includes(userId)) await store.destroy(kept.id);
  };
  return { store, forgetUser, close: () => client.close() };
}

/** The library itself tries for ever. What it says may hold the address, and with it a password. */
async function connectInTime(
  client: { connect(): Promise<unknown>; destroy(): void },
  patienceMs: number,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const seconds = Math.ceil(patienceMs / 1000);
  const sentence = `REDIS_URL: no Redis answered there in ${countOf(seconds, 'second', 'seconds')}`;
  const timer = setTimeout(() => late.reject(new Error(sentence)), patienceMs);
  try {
    await Promise.race([client.connect(), late.promise]);
  } catch (err) {
    client.destroy();
    throw err instanceof ErrorReply ? new Error('REDIS_URL: Redis refused the connection', { cause: err }) : err;
  } finally {
    clearTimeout(timer);
  }
}

function postgresStore(url: string, log: Log) {
  // A page needs one read and at most one write.
  const pool = new pg.Pool({ ...connectionSettings(url, 'page'), max: 2, application_name: 'forenoon-sessions' });
  pool.on('error', err => log.error({ err }, 'session store error'));
  const store = new (connectPgSimple(session))({
    pool,
    tableName: 'browser_sessions',
    ttl: LIVES_SECONDS,
    disableTouch: true,
    errorLog: () => log.error('session store error'),
  });
  const forgetUser = async (userId: string) => {
    await pool.query('delete from browser_sessions where position($1 in sess::text) > 0', [userId]);
  };
  const close = async () => {
    await store.close();
    await pool.end();
  };
  return { store, forgetUser, close };
}
