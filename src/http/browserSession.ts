import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import type { RequestHandler, Response } from 'express';
import session from 'express-session';
import pg from 'pg';
import { createClient } from 'redis';
import type { Log } from '../lib/log.ts';

const LIVES_SECONDS = 3600;
const COOKIE = 'forenoon.sid';

export type BrowserSessions = { middleware: RequestHandler; close(): Promise<void> };

type Options = { redisUrl: string | undefined; databaseUrl: string; secret: string; log: Log };

/**
 * express-session holds what lives minutes: the steps of a sign-in at the messenger, flash messages.
 * Who is signed in is not its business. Redis when there is one, else Postgres.
 */
export async function createBrowserSessions(options: Options): Promise<BrowserSessions> {
  const { store, close } = options.redisUrl
    ? await redisStore(options.redisUrl, options.log)
    : postgresStore(options.databaseUrl, options.log);
  const middleware = session({
    name: COOKIE,
    secret: options.secret,
    store,
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', maxAge: LIVES_SECONDS * 1000 },
  });
  return { middleware, close };
}

/** Whoever signs in next in this browser must not find what the last one began. What is stored runs out by itself. */
export function forgetBrowserSession(res: Response): void {
  res.clearCookie(COOKIE, { path: '/', httpOnly: true, sameSite: 'lax' });
}

async function redisStore(url: string, log: Log) {
  // Without it a page waits five seconds for a Redis that is gone, and then fails all the same.
  const client = createClient({ url, disableOfflineQueue: true });
  client.on('error', err => log.error({ err }, 'redis error'));
  await client.connect();
  return { store: new RedisStore({ client, prefix: 'forenoon:', ttl: LIVES_SECONDS }), close: () => client.close() };
}

function postgresStore(url: string, log: Log) {
  // One connection: a page needs one read and at most one write.
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'forenoon-sessions' });
  pool.on('error', err => log.error({ err }, 'session store error'));
  const store = new (connectPgSimple(session))({
    pool,
    tableName: 'browser_sessions',
    ttl: LIVES_SECONDS,
    errorLog: () => log.error('session store error'),
  });
  const close = async () => {
    await store.close();
    await pool.end();
  };
  return { store, close };
}
