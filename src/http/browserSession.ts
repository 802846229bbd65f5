import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import type { RequestHandler, Response } from 'express';
import session from 'express-session';
import pg from 'pg';
import { createClient, ErrorReply } from 'redis';
import type { Log } from '../lib/log.ts';
import { countOf } from '../lib/words.ts';

const LIVES_SECONDS = 3600;
const COOKIE = 'forenoon.sid';

export type BrowserSessions = { middleware: RequestHandler; close(): Promise<void> };

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
 * Who is signed in is not its business. Redis when there is one, else Postgres.
 * Throws an error that names REDIS_URL when it is set and no Redis answers there.
 */
export async function createBrowserSessions(options: Options): Promise<BrowserSessions> {
  const { store, close } = options.redisUrl
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
  return { middleware, close };
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
  return { store: new RedisStore({ client, prefix: 'forenoon:', ttl: LIVES_SECONDS }), close: () => client.close() };
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
